/** What was asked in this tab, with its answers. The browser forgets them when the tab is closed. */
import { useState } from "react";

import type { Answer } from "./documents.ts";

/** Each has at most 30 citations of 1,000 characters. Browsers keep some million characters. */
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
  const keep = (kept: Turn[]): void => {
    setTurns(kept);
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // There is no room. They are lost when the page is left, which is better than to show no answer.
    }
  };
  return {
    /** The newest first, each once. */
    turns,
    note(turn: Turn): void {
      const name = JSON.stringify(turn.questions);
      const others = turns.filter(({ questions }) => JSON.stringify(questions) !== name);
      keep([turn, ...others].slice(0, MAX_KEPT));
    },
    forget: (): void => keep([]),
  };
}

/** The answer to the last of these questions. A long conversation may have lost its first questions since. */
export function findAnswer(turns: readonly Turn[], questions: readonly string[]): Answer | null {
  const name = JSON.stringify(questions);
  const found = turns.find((turn) => JSON.stringify(turn.questions.slice(-questions.length)) === name);
  return found?.answer ?? null;
}

/** Only this page writes there. */
function read(key: string): Turn[] {
  return JSON.parse(sessionStorage.getItem(key) ?? "[]");
}
