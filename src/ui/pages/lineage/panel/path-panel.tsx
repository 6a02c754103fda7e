/** The paths between the root and another asset, the upstream end first. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfLineage } from "../../../assets/asset-row.ts";
import { countOf } from "../../../parts/count.ts";
import { useActions } from "../canvas/actions.ts";
import { NODES } from "../documents.ts";
import { measureHops } from "../model/paths.ts";
import type { Picture } from "../model/picture.ts";
import { MAX_HOPS, type View } from "../model/view.ts";
import { PickList, SidePanel } from "./side-panel.tsx";

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
        <NoPath from={nodes.get(root)?.name ?? "the root"} to={pathTo} />
      ) : (
        <>
          <p className="soft">
            {countOf(steps, "hop")}, {countOf(shown.length, "asset")} on all paths.
          </p>
          <PickList nodes={inOrder} />
        </>
      )}
    </SidePanel>
  );
}

/** The asset at the other end is not in the picture, so its name is asked for. */
function NoPath({ from, to }: { from: string; to: string }) {
  const [{ data }] = useQuery({ query: NODES, variables: { ids: [to] } });
  const node = data?.nodes?.[0];
  const name = node && "name" in node ? node.name : "the chosen asset";
  return (
    <>
      <p className="wrap">
        No path of up to {MAX_HOPS} hops leads from {from} to {name}, or back.
      </p>
      <Link href={pathOfLineage(to)}>Lineage of {name}</Link>
    </>
  );
}
