/** The paths between the root and another asset, the upstream end first. */
import { Link } from "wouter";

import { pathOfLineage } from "../../../assets/asset-row.ts";
import { countOf } from "../../../parts/count.ts";
import { useActions } from "../canvas/actions.ts";
import { measureHops } from "../model/paths.ts";
import type { Picture } from "../model/picture.ts";
import { MAX_HOPS, type View } from "../model/view.ts";
import { PickList } from "./pick-list.tsx";
import { SidePanel } from "./side-panel.tsx";

export function PathPanel({ picture, view: { pathTo } }: { picture: Picture; view: View }) {
  const { showPath } = useActions();
  const { root, nodes, links, path } = picture;
  const ids = path?.nodes ?? new Set();
  const hops = measureHops([...links.values()], root);
  const shown = [...nodes.values()].filter(({ id }) => ids.has(id));
  const inOrder = shown.toSorted((a, b) => (hops.get(a.id) ?? 0) - (hops.get(b.id) ?? 0));
  const steps = Math.abs(hops.get(pathTo ?? "") ?? 0);
  return (
    <SidePanel label="The path" title="The path" onClose={() => showPath(null)}>
      {pathTo !== null && !ids.has(pathTo) ? (
        <>
          <p>No path of up to {MAX_HOPS} hops leads from one to the other.</p>
          <Link href={pathOfLineage(pathTo)}>The lineage of the other one</Link>
        </>
      ) : (
        <p className="soft">
          {countOf(steps, "hop")}, {countOf(shown.length, "asset")} on all paths.
        </p>
      )}
      <PickList nodes={inOrder} />
    </SidePanel>
  );
}
