/** The first neighbours on both sides, as a look at the lineage. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { parentOf } from "../../assets/asset-row.ts";
import { NodeName } from "../../assets/node-name.tsx";
import { Badge, TypeIcon } from "../../parts/badge.tsx";
import { formatCount } from "../../parts/count.ts";
import { Loaded } from "../../parts/listing.tsx";
import type { Neighbour } from "./documents.ts";
import { neighboursOf, type Side, SIDES } from "./sides.ts";

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
