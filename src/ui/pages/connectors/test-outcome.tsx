import { Fault } from "../../parts/form.tsx";

/** @param outcome null before a test */
export function TestOutcome({ outcome }: { outcome: { isReadable: boolean; words: string } | null }) {
  if (outcome?.isReadable === false) return <Fault text={outcome.words} />;
  return (
    <div role="status" className="hide-empty">
      {outcome && <p className="notice good">{outcome.words}</p>}
    </div>
  );
}
