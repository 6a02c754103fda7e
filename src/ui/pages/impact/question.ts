/** The question: which change of which asset. It is in the URL, so that a link shows the same answer. */
import { useSearchParams } from "wouter";

import { type ChangeType, toChangeType } from "./change.ts";

export interface Question {
  /** Of an asset or metric; "" if none is chosen yet. */
  id: string;
  /** Null if none is chosen: the page then takes the one that fits what is changed. */
  change: ChangeType | null;
  newType: string;
}

export function useQuestion() {
  const [parameters, setParameters] = useSearchParams();
  const question: Question = {
    id: parameters.get("id") ?? "",
    change: toChangeType(parameters.get("change")),
    newType: parameters.get("type") ?? "",
  };
  return {
    question,
    /** What is left out stays as it is. */
    ask(change: Partial<Question>): void {
      const { id, change: chosen, newType } = { ...question, ...change };
      const isTyped = chosen === "type_change" && newType !== "";
      setParameters({ id, ...(chosen !== null && { change: chosen }), ...(isTyped && { type: newType }) });
    },
  };
}
