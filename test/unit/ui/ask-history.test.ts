import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";

import type { Answer } from "../../../src/ui/pages/ask/documents.ts";
import { findAnswer, useHistory } from "../../../src/ui/pages/ask/history.ts";

function answer(text: string): Answer {
  const rest = { readAs: null, confidence: 1, engine: "catalog", note: null } as const;
  return { answer: text, ...rest, citations: [], suggestedActions: [] };
}

it("an earlier question has its answer in its own conversation, also if that has lost its first questions since", () => {
  const turns = [
    { questions: ["a", "b", "who owns it?"], answer: answer("Ines") },
    { questions: ["c", "who owns it?"], answer: answer("Jonas") },
  ];
  expect(findAnswer(turns, ["c", "who owns it?"])?.answer).toBe("Jonas");
  expect(findAnswer(turns, ["b", "who owns it?"])?.answer).toBe("Ines");
  expect(findAnswer(turns, ["d", "who owns it?"])).toBeNull();
  expect(findAnswer(turns, ["b"])).toBeNull();
});

it("an answer is noted without a failure if the browser has no room to keep it", () => {
  const setItem = vi.fn<() => never>(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem });
  let history: ReturnType<typeof useHistory> | undefined;
  renderToString(
    createElement(function Page() {
      history = useHistory("shop");
      return null;
    }),
  );
  history?.note({ questions: ["who owns it?"], answer: answer("Ines") });
  expect(setItem).toHaveBeenCalledOnce();
});
