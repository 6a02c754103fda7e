/** What the asset is made from and what it feeds, one hop away, in pages. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { ownerOf, parentOf, pathOfLineage, pathOfNode } from "../../assets/asset-row.ts";
import { usePages } from "../../graphql/use-pages.ts";
import { Badge, CertificationBadge, TypeIcon } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import type { Neighbour } from "./documents.ts";
import styles from "./lineage-tab.module.css";
import { neighboursOf, type Side, SIDES } from "./sides.ts";

const REST_MS = 150;
/** From this many on, they can be searched. */
const SEARCH_FROM = 12;

export function LineageTab({ id }: { id: string }) {
  return (
    <>
      <p className={styles["canvas"]}>
        <Link href={pathOfLineage(id)}>
          <Icon name="lineage" size={14} /> Open as a picture
        </Link>
      </p>
      <div className={styles["sides"]}>
        <Neighbours id={id} side="up" />
        <Neighbours id={id} side="down" />
      </div>
    </>
  );
}

function Neighbours({ id, side }: { id: string; side: Side }) {
  const [text, setText] = useState("");
  const search = useDebounced(text.trim(), REST_MS);
  const { query, title, icon, empty } = SIDES[side];
  const [{ data, error, fetching }, again] = useQuery({
    query,
    variables: { id, search: search || null, after: null },
  });
  // Until there is an answer to a new search, the client keeps the one to the search before.
  const total = fetching ? undefined : neighboursOf(data)?.totalCount;
  return (
    <section aria-label={title} className={styles["side"]}>
      <h2>
        <Icon name={icon} size={14} /> {title}
        {total !== undefined && <span className={styles["count"]}>{total.toLocaleString("en-US")}</span>}
      </h2>
      {(text !== "" || search !== "" || (total ?? 0) >= SEARCH_FROM) && (
        <input
          type="search"
          aria-label={`Search what it ${side === "up" ? "is made from" : "feeds"}`}
          placeholder="Search these"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {error && <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />}
      {total === undefined && !error && <Skeleton rows={4} label="Loading the neighbours" />}
      {total === 0 && <p className={styles["empty"]}>{search === "" ? empty : "None of these has such a name."}</p>}
      {total !== undefined && total > 0 && <Pages key={search} id={id} side={side} search={search} />}
    </section>
  );
}

function Pages({ id, side, search }: { id: string; side: Side; search: string }) {
  const { cursors, showMore } = usePages();
  return cursors.map((after) => (
    <NeighbourPage
      key={after}
      id={id}
      side={side}
      search={search}
      after={after}
      onMore={after === cursors.at(-1) ? showMore : null}
    />
  ));
}

interface NeighbourPageProps {
  id: string;
  side: Side;
  search: string;
  after: string | null;
  onMore: ((cursor: string) => void) | null;
}

function NeighbourPage({ id, side, search, after, onMore }: NeighbourPageProps) {
  const [{ data, error }] = useQuery({
    query: SIDES[side].query,
    variables: { id, search: search || null, after },
  });
  const page = neighboursOf(data);
  if (error) return <ErrorPanel error={error} />;
  if (!page) return <Skeleton rows={3} label="Loading more" />;
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      <ul className={styles["list"]}>
        {page.edges.map((edge) => (
          <NeighbourLine key={edge.node.id} edge={edge} />
        ))}
      </ul>
      {hasNextPage && endCursor !== null && onMore && <Button onClick={() => onMore(endCursor)}>Show more</Button>}
    </>
  );
}

/** A column has the owner of its table, so that nothing is missing there. */
function describeOwner(node: Neighbour["node"]): string | null {
  return ownerOf(node) ?? (node.type === "column" ? null : "no owner");
}

function NeighbourLine({ edge: { node, kinds, uses } }: { edge: Neighbour }) {
  return (
    <li className={styles["line"]}>
      <TypeIcon type={node.type} />
      <div className={styles["what"]}>
        <div className={styles["first"]}>
          <Link href={pathOfNode(node)}>{node.name}</Link>
          <CertificationBadge certification={node.certification} />
          {node.existence === "referenced" && <Badge tone="warn">only referenced</Badge>}
        </div>
        <div className={styles["second"]}>{[parentOf(node), describeOwner(node)].filter(Boolean).join(" · ")}</div>
        {uses.map(({ kind, transformation, expression }) => (
          <div key={`${kind} ${expression}`} className={styles["use"]}>
            <Badge tone={kind === "DIRECT" ? "good" : "neutral"}>{kind === "DIRECT" ? "direct" : "indirect"}</Badge>
            <span>{transformation.toLowerCase().replaceAll("_", " ")}</span> <code>{expression}</code>
          </div>
        ))}
      </div>
      <span className={styles["kinds"]}>{kinds.join(", ")}</span>
    </li>
  );
}
