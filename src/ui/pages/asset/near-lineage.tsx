/** The first neighbours on both sides, as a look at the lineage. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { NodeName } from "../../assets/node-name.tsx";
import { TypeIcon } from "../../parts/badge.tsx";
import { formatCount } from "../../parts/count.ts";
import { Loaded } from "../../parts/listing.tsx";
import styles from "./near-lineage.module.css";
import { neighboursOf, type Side, SIDES } from "./sides.ts";

const SHOWN = 5;

export function NearLineage({ id }: { id: string }) {
  return (
    <div className={styles["sides"]}>
      <NearSide id={id} side="up" />
      <NearSide id={id} side="down" />
    </div>
  );
}

function NearSide({ id, side }: { id: string; side: Side }) {
  const { query, title, empty } = SIDES[side];
  // The same question as the tab's first one, so that it is asked once.
  const asked = useQuery({ query, variables: { id, search: null, after: null } });
  return (
    <Loaded what="the neighbours" asked={asked} pick={neighboursOf} rows={3}>
      {({ nodes, totalCount }) => (
        <div className={`card padded ${styles["side"]}`}>
          <h3 className="gap-below">
            {title} {totalCount > 0 && <span className="count">{formatCount(totalCount)}</span>}
          </h3>
          {totalCount === 0 && <p className="faint">{empty}</p>}
          <ul>
            {nodes.slice(0, SHOWN).map(({ node }) => (
              <li className="row wrap" key={node.id}>
                <TypeIcon type={node.type} />
                <NodeName node={node} />
              </li>
            ))}
          </ul>
          {totalCount > SHOWN && <Link href="?tab=lineage">All {formatCount(totalCount)}</Link>}
        </div>
      )}
    </Loaded>
  );
}
