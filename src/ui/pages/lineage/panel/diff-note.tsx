import { countOf } from "../../../parts/count.ts";
import { countDifferences, type DrawnDiff } from "../model/diff.ts";

/** How the picture differs from then, in words. */
export function DiffNote({ diff }: { diff: DrawnDiff }) {
  return (
    <p className="notice cluster" role="status">
      Since {diff.before.slice(0, "2026-05-31T10:00".length).replace("T", " ")} UTC, within {countOf(diff.hops, "hop")}:
      assets {countDifferences(diff.nodes.values())}; links {countDifferences(diff.links.values())}.
      {diff.nodes.size > diff.drawn.size && ` The first ${diff.drawn.size} assets are drawn.`}
      {diff.isTruncated && " Of what was there then and is there now, only the nearest were compared."}
    </p>
  );
}
