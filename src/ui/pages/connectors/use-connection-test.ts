/** Tests a connection, and says what is wrong with which option. */
import { useState } from "react";

import { useChange } from "../../graphql/use-change.ts";
import { TEST_CONNECTOR } from "./documents.ts";
import { type OptionNotes, toNotes } from "./option-fields.tsx";

type Tested = { id: string } | { type: string };

interface ConnectionTest {
  test(what: Tested, options: Record<string, string | null>): Promise<void>;
  /** Forgets the outcome, because what was tested has changed. */
  forget(): void;
  isBusy: boolean;
  /** Null before a test. */
  outcome: { isReadable: boolean; words: string } | null;
  notes: OptionNotes;
}

export function useConnectionTest(): ConnectionTest {
  const { change, isBusy, fault, faults } = useChange(TEST_CONNECTOR);
  const [answer, setAnswer] = useState<{ isReadable: boolean; notes: OptionNotes } | null>(null);
  return {
    async test(what, options) {
      setAnswer(null);
      const said = (await change({ input: { ...what, options } }))?.testConnector;
      if (!said) return;
      // Of several findings about an option, an error comes first.
      const worstLast = said.findings.toSorted(
        (a, b) => Number(a.severity === "error") - Number(b.severity === "error"),
      );
      const notes = Object.fromEntries(worstLast.map(({ option, ...note }) => [option, note]));
      setAnswer({ isReadable: said.isReadable, notes });
    },
    forget: () => setAnswer(null),
    isBusy,
    outcome: describeOutcome(answer, fault),
    notes: answer?.notes ?? toNotes(faults),
  };
}

function describeOutcome(
  answer: { isReadable: boolean; notes: OptionNotes } | null,
  fault: string | null,
): ConnectionTest["outcome"] {
  if (fault !== null) return { isReadable: false, words: fault };
  if (answer === null) return null;
  const count = Object.keys(answer.notes).length;
  if (!answer.isReadable)
    return { isReadable: false, words: "The source cannot be read. What is wrong is said at the options." };
  return {
    isReadable: true,
    words: count === 0 ? "The source can be read." : "The source can be read. There are remarks at the options.",
  };
}
