/** What was asked in this tab, with its answers. The browser forgets them when the tab is closed. */
import { useState } from "react";

import type { Answer } from "./documents.ts";

const MAX_KEPT = 20;

export interface Turn {
  /** The question, after the questions before it in the conversation. */
  questions: string[];
  answer: Answer;
}

/** @param workspace its id: what was asked in another workspace is not shown */
export function useHistory(workspace: string) {
  const key = `tributary-turns ${workspace}`;
  const [turns, setTurns] = useState(() => read(key));
  return {
    /** The newest first, each once. */
    turns,
    note(turn: Turn): void {
      const name = JSON.stringify(turn.questions);
      const others = read(key).filter(({ questions }) => JSON.stringify(questions) !== name);
      setTurns(store(key, [turn, ...others].slice(0, MAX_KEPT)));
    },
    forget: (): void => setTurns(store(key, [])),
  };
}

/** The answer to the last of these questions. A long conversation may have lost its first questions since. */
export function findAnswer(turns: readonly Turn[], questions: readonly string[]): Answer | null {
  const name = JSON.stringify(questions);
  const found = turns.find((turn) => JSON.stringify(turn.questions.slice(-questions.length)) === name);
  return found?.answer ?? null;
}

/** Keeps as many as there is room for. */
function store(key: string, turns: Turn[]): Turn[] {
  for (let kept = turns; ; kept = kept.slice(0, -1)) {
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
      return kept;
    } catch {
      if (kept.length === 0) return kept;
    }
  }
}

function read(key: string): Turn[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isTurn) : [];
  } catch {
    return [];
  }
}

function isTurn(kept: unknown): kept is Turn {
  return (
    typeof kept === "object" &&
    kept !== null &&
    "answer" in kept &&
    "questions" in kept &&
    Array.isArray(kept.questions)
  );
}
