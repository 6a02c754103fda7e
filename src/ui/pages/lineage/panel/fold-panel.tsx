/** All neighbours of a hub on one side: searched, in pages, and put on the canvas one by one. */
import { useState } from "react";

import type { ResultOf } from "../../../graphql/graphql.ts";
import { formatCount } from "../../../parts/count.ts";
import { TypeIcon } from "../../../parts/marks.tsx";
import { Button } from "../../../parts/button.tsx";
import { SearchInput } from "../../../parts/form.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { useDebounced } from "../../../parts/use-search.ts";
import { useActions } from "../canvas/actions.ts";
import { DOWNSTREAM, UPSTREAM } from "../documents.ts";
import { type LineageNode, type Side, sideKey } from "../model/graph.ts";
import type { Picture } from "../model/picture.ts";
import { MAX_PICKED, MORE_SHOWN, type View } from "../model/view.ts";
import { SidePanel } from "./side-panel.tsx";
import styles from "./side-panel.module.css";

const REST_MS = 150;
const PAGE_SIZE = 20;
const QUERIES = { up: UPSTREAM, down: DOWNSTREAM } as const;

interface FoldPanelProps {
  of: LineageNode;
  side: Side;
  /** How many are not in the picture. */
  count: number;
  view: View;
  picture: Picture;
}

export function FoldPanel({ of, side, count, view, picture }: FoldPanelProps) {
  const { select, showMore, togglePicked } = useActions();
  const [text, setText] = useState("");
  const search = useDebounced(text.trim(), REST_MS);
  const total = of.totals[side];
  const title = `${side === "up" ? "Upstream" : "Downstream"} of ${of.name}`;
  const next = Math.min(count, MORE_SHOWN);
  const picked = view.picked.get(sideKey(of.id, side)) ?? [];
  const isFull = [...view.picked.values()].flat().length >= MAX_PICKED;
  return (
    <SidePanel title={title} label={title} onClose={() => select(null)}>
      <p className="soft">
        {formatCount(total - count)} of {formatCount(total)} are in the picture.
      </p>
      <div className="cluster">
        {next > 0 && <Button label={`Show ${next} more on the canvas`} onClick={() => showMore(of.id, side)} />}
      </div>
      <SearchInput label="Search these" placeholder="Search these by name" text={text} onType={setText} />
      <Listing
        key={search}
        what="the neighbours"
        query={QUERIES[side]}
        variables={{ ids: [of.id], first: PAGE_SIZE, search: search || null, asOf: view.asOf }}
        pick={neighboursOf}
        types={[]}
        rows={4}
        empty={<p className="soft">None of these has such a name.</p>}
        renderFrame={(list) => (
          <>
            {isFull && <p className="soft">{MAX_PICKED} have been chosen one by one. A link cannot hold more.</p>}
            {list}
          </>
        )}
        list="lines"
        renderLine={({ node: { id, type, name } }) => {
          const isPicked = picked.includes(id);
          const isShown = picture.nodes.has(id);
          return (
            <li>
              <label className={`line beside-icon snug hoverable wrap ${styles["choice"]}`}>
                <input
                  type="checkbox"
                  checked={isPicked || isShown}
                  disabled={!isPicked && (isShown || isFull)}
                  onChange={() => togglePicked(of.id, side, id)}
                />
                <TypeIcon type={type} />
                <span>{name}</span>
              </label>
            </li>
          );
        }}
      />
    </SidePanel>
  );
}

/** The answer's list. Only nodes of the catalog have one. */
function neighboursOf({ nodes }: ResultOf<typeof UPSTREAM> | ResultOf<typeof DOWNSTREAM>) {
  const node = nodes?.[0];
  return node && "neighbours" in node ? { ...node.neighbours, nodes: node.neighbours.edges } : undefined;
}
