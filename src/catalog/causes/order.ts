import type { NodeId } from "../../ids.ts";
import { compareCodePoints } from "../text.ts";
import { CAUSE_EVIDENCE, type CauseAuthor, type CauseEvidence, CAUSE_KINDS, type CauseKind } from "./cause.ts";

interface OrderedCause {
  distance: number;
  evidence: CauseEvidence;
  author: Pick<CauseAuthor, "at">;
  kind: CauseKind;
  id: NodeId;
}

/** The nearest first, then the surest, then the latest. */
export function compareCauses(a: OrderedCause, b: OrderedCause): number {
  return (
    a.distance - b.distance ||
    CAUSE_EVIDENCE.indexOf(a.evidence) - CAUSE_EVIDENCE.indexOf(b.evidence) ||
    compareCodePoints(b.author.at, a.author.at) ||
    CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind) ||
    compareCodePoints(a.id, b.id)
  );
}
