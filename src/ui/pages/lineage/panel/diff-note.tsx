import { describeCounts, describeSides, type DrawnDiff } from "../model/diff.ts";

/** How the two states that are compared differ, in words. */
export function DiffNote({ diff }: { diff: DrawnDiff }) {
  return (
    <p className="notice cluster" role="status">
      {describeSides(diff)}: {describeCounts(diff)}.
      {diff.nodes.size > diff.drawn.size && ` The first ${diff.drawn.size} assets are drawn.`}
      {diff.isTruncated &&
        (diff.connector === null
          ? " Of what was there then and is there now, only the nearest were compared."
          : " The manifest changes more than is kept: only the first changes are shown.")}
    </p>
  );
}
