/** The first neighbours on both sides, as a look at the lineage. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfNode } from "../../assets/asset-row.ts";
import { TypeIcon } from "../../parts/badge.tsx";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
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
  const [{ data, error }] = useQuery({ query, variables: { id, search: null, after: null } });
  const list = neighboursOf(data);
  if (error) return <ErrorPanel error={error} />;
  if (!list) return <Skeleton rows={3} label="Loading the neighbours" />;
  const { edges, totalCount } = list;
  return (
    <div className={styles["side"]}>
      <h3>
        {title} {totalCount > 0 && <span className={styles["count"]}>{totalCount.toLocaleString("en-US")}</span>}
      </h3>
      {totalCount === 0 && <p className={styles["empty"]}>{empty}</p>}
      <ul>
        {edges.slice(0, SHOWN).map(({ node }) => (
          <li key={node.id}>
            <TypeIcon type={node.type} />
            <Link href={pathOfNode(node)}>{node.name}</Link>
          </li>
        ))}
      </ul>
      {totalCount > SHOWN && <Link href="?tab=lineage">All {totalCount.toLocaleString("en-US")}</Link>}
    </div>
  );
}
