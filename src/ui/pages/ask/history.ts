/** What was asked in this tab. The browser forgets it when the tab is closed. */
import { useState } from "react";

const MAX_KEPT = 20;

/** @param workspace its id: what was asked in another workspace is not shown */
export function useHistory(workspace: string) {
  const key = `tributary-asked ${workspace}`;
  const [questions, setQuestions] = useState(() => read(key));
  const keep = (next: string[]): void => {
    setQuestions(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  return {
    /** The newest first, each once. */
    questions,
    note: (question: string): void => keep([question, ...read(key).filter((it) => it !== question)].slice(0, MAX_KEPT)),
    forget: (): void => keep([]),
  };
}

function read(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((it) => typeof it === "string") : [];
  } catch {
    return [];
  }
}
