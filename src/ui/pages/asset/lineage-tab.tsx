/** What the asset is made from and what it feeds, one hop away: in pages, and as a first look. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { parentOf, pathOfLineage } from "../../assets/asset-row.ts";
import { NodeName, PersonName } from "../../assets/names.tsx";
import { formatCount } from "../../parts/count.ts";
import { Badge, CertificationBadge, TypeIcon, Icon } from "../../parts/marks.tsx";
import { SearchInput } from "../../parts/form.tsx";
import { Listing, Loaded } from "../../parts/listing.tsx";
import { useDebounced } from "../../parts/use-search.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { DOWNSTREAM, type Neighbour, UPSTREAM } from "./documents.ts";

const SIDES = {
  up: { query: UPSTREAM, icon: "up", title: "Made from", empty: "Nothing that the catalog knows feeds it directly." },
  down: { query: DOWNSTREAM, icon: "arrow-down", title: "Feeds", empty: "Nothing that the catalog knows uses it." },
} as const;

type Side = keyof typeof SIDES;

/** The answer's list. Only nodes of the catalog have one. */
function neighboursOf({ node }: ResultOf<typeof UPSTREAM>) {
  return node && "neighbours" in node ? { ...node.neighbours, nodes: node.neighbours.edges } : undefined;
}

const REST_MS = 150;
/** From this many on, they can be searched. */
const SEARCH_FROM = 12;

export function LineageTab({ id }: { id: string }) {
  return (
    <>
      <p className="gap-below">
        <Link href={pathOfLineage(id)} className="row inline medium">
          <Icon name="lineage" size={14} /> Open as a picture
        </Link>
      </p>
      <div className="columns halves loose">
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
  const [{ data, fetching }] = useQuery({ query, variables: { id, search: search || null, after: null } });
  // Until there is an answer to a new search, the client keeps the one to the search before.
  const total = fetching ? undefined : data && neighboursOf(data)?.totalCount;
  return (
    <section aria-label={title} className="stack">
      <h2 className="row subheading">
        <Icon name={icon} size={14} /> {title}
        {total !== undefined && <span className="count">{formatCount(total)}</span>}
      </h2>
      {(text !== "" || search !== "" || (total ?? 0) >= SEARCH_FROM) && (
        <SearchInput
          label={`Search what it ${side === "up" ? "is made from" : "feeds"}`}
          placeholder="Search these"
          text={text}
          onType={setText}
        />
      )}
      <Listing
        key={search}
        what="the neighbours"
        query={query}
        variables={{ id, search: search || null }}
        pick={neighboursOf}
        types={[]}
        rows={4}
        empty={<p className="soft">{search === "" ? empty : "None of these has such a name."}</p>}
        list="lines"
        renderLine={(edge) => <NeighbourLine edge={edge} />}
      />
    </section>
  );
}

function NeighbourLine({ edge: { node, kinds, uses } }: { edge: Neighbour }) {
  return (
    <li className="line beside-icon with-end top">
      <TypeIcon type={node.type} />
      <div>
        <div className="cluster wrap">
          <NodeName node={node} />
          <CertificationBadge certification={node.certification} />
          {node.existence === "referenced" && <Badge label="only referenced" tone="warn" />}
        </div>
        <div className="hint wrap">
          {parentOf(node)} {/* A column has the owner of its table, so that nothing is missing there. */}
          {node.type !== "column" && (
            <>
              · <PersonName of={node.ownedBy} />
            </>
          )}
        </div>
        {uses.map(({ kind, transformation, expression }) => (
          <div key={`${kind} ${expression}`} className="cluster hint wrap">
            <Badge label={kind === "DIRECT" ? "direct" : "indirect"} tone={kind === "DIRECT" ? "good" : "neutral"} />
            <span>{transformation.toLowerCase().replaceAll("_", " ")}</span> <code>{expression}</code>
          </div>
        ))}
      </div>
      <span className="hint wrap">{kinds.join(", ")}</span>
    </li>
  );
}

const SHOWN = 5;

export function NearLineage({ id }: { id: string }) {
  return (
    <div className="pair">
      <NearSide id={id} side="up" />
      <NearSide id={id} side="down" />
    </div>
  );
}

/** Whether values do not go over this edge of a column: it decides which rows there are. Such edges come last. */
function decidesRows({ uses }: Pick<Neighbour, "uses">): boolean {
  return uses.length > 0 && uses.every(({ kind }) => kind === "INDIRECT");
}

function NearSide({ id, side }: { id: string; side: Side }) {
  const { query, title, empty } = SIDES[side];
  // The same question as the tab's first one, so that it is asked once.
  const asked = useQuery({ query, variables: { id, search: null, after: null } });
  return (
    <Loaded what="the neighbours" asked={asked} pick={neighboursOf} rows={3}>
      {({ nodes, totalCount }) => (
        <div className="card padded">
          <h3 className="gap-below">
            {title} {totalCount > 0 && <span className="count">{formatCount(totalCount)}</span>}
          </h3>
          {totalCount === 0 && <p className="faint">{empty}</p>}
          <ul className="stack snug">
            {nodes
              .toSorted((a, b) => Number(decidesRows(a)) - Number(decidesRows(b)))
              .slice(0, SHOWN)
              .map((edge) => (
                <li className="row wrap" key={edge.node.id}>
                  <TypeIcon type={edge.node.type} />
                  <div className="words">
                    <NodeName node={edge.node} />
                    {edge.node.type === "column" && (
                      <span className="hint">{parentOf(edge.node).split(".").at(-1)}</span>
                    )}
                    {decidesRows(edge) && <Badge label="joins, filters" />}
                  </div>
                </li>
              ))}
          </ul>
          {totalCount > SHOWN && <Link href="?tab=lineage">All {formatCount(totalCount)}</Link>}
        </div>
      )}
    </Loaded>
  );
}
