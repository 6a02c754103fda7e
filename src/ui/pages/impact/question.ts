/** What is asked: which change of which asset. It is in the URL, so that a link shows the same answer. */
import { useSearchParams } from "wouter";

const CHANGE_TYPES = ["column_drop", "column_rename", "type_change", "deprecate"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export interface Question {
  /** Of an asset or metric; "" if none is chosen yet. */
  id: string;
  /** Null if none is chosen: the page then takes the one that fits what is changed. */
  change: ChangeType | null;
  newType: string;
}

/** Of a table or model, a change of columns means the worst of its columns. */
const WORDS: Record<ChangeType, { column: string; table: string }> = {
  column_drop: { column: "Drop it", table: "Drop a column" },
  column_rename: { column: "Rename it", table: "Rename a column" },
  type_change: { column: "Change its type", table: "Change a type" },
  deprecate: { column: "Deprecate it", table: "Deprecate it" },
};

/** The changes that can happen to what is of this type, the worst first. */
export function listChanges(type: string): { value: ChangeType; label: string }[] {
  const hasColumns = type === "table" || type === "model";
  const possible = hasColumns || type === "column" ? CHANGE_TYPES : (["deprecate"] as const);
  return possible.map((value) => ({ value, label: WORDS[value][hasColumns ? "table" : "column"] }));
}

/** @param id of an asset or metric */
export function pathOfImpact(id: string, change?: string): string {
  return `/impact?${new URLSearchParams(change === undefined ? { id } : { id, change })}`;
}

interface QuestionInUrl {
  question: Question;
  /** What is left out stays as it is. */
  ask: (change: Partial<Question>) => void;
  /** The owner whose assets alone are shown: "" for assets without one, null for all. */
  owner: string | null;
  showOwner: (owner: string | null) => void;
}

export function useQuestion(): QuestionInUrl {
  const [parameters, setParameters] = useSearchParams();
  const question: Question = {
    id: parameters.get("id") ?? "",
    change: CHANGE_TYPES.find((it) => it === parameters.get("change")) ?? null,
    newType: parameters.get("type") ?? "",
  };
  return {
    question,
    ask(change) {
      const { id, change: chosen, newType } = { ...question, ...change };
      const isTyped = chosen === "type_change" && newType !== "";
      setParameters({ id, ...(chosen !== null && { change: chosen }), ...(isTyped && { type: newType }) });
    },
    owner: parameters.get("owner"),
    showOwner(owner) {
      setParameters((before) => {
        const after = new URLSearchParams(before);
        if (owner === null) after.delete("owner");
        else after.set("owner", owner);
        return after;
      });
    },
  };
}
