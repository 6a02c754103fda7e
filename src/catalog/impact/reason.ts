/** Why something is affected, in one sentence that a person can check. */
import type { ColumnUse, Level } from "../edge.ts";
import type { Effect, EvidenceKind } from "../impact.ts";
import type { Shown } from "./source.ts";

/** A node as a sentence names it. */
export type Subject = Shown & {
  /** The name of a column's table or model; null for everything else. */
  table: string | null;
};

/** One hop of a path. */
export interface Passage {
  kind: EvidenceKind;
  level: Level;
  use: ColumnUse | undefined;
  /** Where the path arrives. */
  at: Subject;
  from: Subject;
  to: Subject;
}

export function reasonOf(start: Subject, passages: readonly Passage[], effect: Effect): string {
  return `${start.name} ${passages.length} ${effect}`;
}
