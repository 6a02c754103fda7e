/** All neighbours of a hub on one side: searched, in pages, and put on the canvas one by one. */
import { useState } from "react";
import { useQuery } from "urql";

import { usePages } from "../../../graphql/use-pages.ts";
import { TypeIcon } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { ErrorPanel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { useDebounced } from "../../../parts/use-debounced.ts";
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
  const { select, showMore } = useActions();
  const [text, setText] = useState("");
  const search = useDebounced(text.trim(), REST_MS);
  const total = of.totals[side];
  const title = `${side === "up" ? "Upstream" : "Downstream"} of ${of.name}`;
  const next = Math.min(count, MORE_SHOWN);
  return (
    <SidePanel title={title} label={title} onClose={() => select(null)}>
      <p className={styles["note"]}>
        {(total - count).toLocaleString("en-US")} of {total.toLocaleString("en-US")} are in the picture.
      </p>
      <div className={styles["actions"]}>
        {next > 0 && <Button onClick={() => showMore(of.id, side)}>Show {next} more on the canvas</Button>}
      </div>
      <input
        type="search"
        aria-label="Search these"
        placeholder="Search these by name"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Pages key={search} of={of} side={side} search={search} view={view} picture={picture} />
    </SidePanel>
  );
}

interface PagesProps extends Omit<FoldPanelProps, "count"> {
  search: string;
}

function Pages({ of, side, search, view, picture }: PagesProps) {
  const { cursors, showMore } = usePages();
  return cursors.map((after) => (
    <NeighbourPage
      key={after}
      of={of}
      side={side}
      search={search}
      view={view}
      picture={picture}
      after={after}
      onMore={after === cursors.at(-1) ? showMore : null}
    />
  ));
}

interface NeighbourPageProps extends PagesProps {
  after: string | null;
  onMore: ((cursor: string) => void) | null;
}

function NeighbourPage({ of, side, search, view, picture, after, onMore }: NeighbourPageProps) {
  const { togglePicked } = useActions();
  const [{ data, error }] = useQuery({
    query: QUERIES[side],
    variables: { ids: [of.id], first: PAGE_SIZE, after, search: search || null },
  });
  if (error) return <ErrorPanel error={error} />;
  const node = data?.nodes?.[0];
  const page = node && "neighbours" in node ? node.neighbours : undefined;
  if (!page) return <Skeleton rows={4} label="Loading the neighbours" />;
  const picked = view.picked.get(sideKey(of.id, side)) ?? [];
  const isFull = [...view.picked.values()].flat().length >= MAX_PICKED;
  const { hasNextPage, endCursor } = page.pageInfo;
  if (page.totalCount === 0) return <p className={styles["note"]}>None of these has such a name.</p>;
  return (
    <>
      {isFull && after === null && (
        <p className={styles["note"]}>{MAX_PICKED} have been chosen one by one. A link cannot hold more.</p>
      )}
      <ul className={styles["list"]}>
        {page.edges.map(({ node: neighbour }) => {
          const isPicked = picked.includes(neighbour.id);
          const isShown = picture.nodes.has(neighbour.id);
          return (
            <li key={neighbour.id}>
              <label className={styles["choice"]}>
                <input
                  type="checkbox"
                  checked={isPicked || isShown}
                  disabled={!isPicked && (isShown || isFull)}
                  onChange={() => togglePicked(of.id, side, neighbour.id)}
                />
                <TypeIcon type={neighbour.type} />
                <span>{neighbour.name}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {hasNextPage && endCursor !== null && onMore && <Button onClick={() => onMore(endCursor)}>List more</Button>}
    </>
  );
}
