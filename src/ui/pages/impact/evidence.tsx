/** Why a change passes from hop to hop. The names are loaded when it is opened. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfNode } from "../../assets/asset-row.ts";
import { Badge } from "../../parts/badge.tsx";
import { countOf } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { type Affected, NAMES } from "./documents.ts";
import styles from "./evidence.module.css";

const KINDS = {
  DIRECT: { label: "direct", title: "Values go from one into the other." },
  INDIRECT: { label: "indirect", title: "It decides which values or rows there are." },
  UNKNOWN: { label: "unknown", title: "The two are connected. It is not known which columns are used." },
  NONE: { label: "not used", title: "No changed column is used here, but not all of the way is known." },
} as const;

export function EvidenceDetails({ affected }: { affected: Affected }) {
  const [isOpen, setOpen] = useState(false);
  const { hops } = affected;
  return (
    <details className={styles["details"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="hint">
        Evidence <span className={`number ${styles["hops"]}`}>{countOf(hops, "hop")}</span>
      </summary>
      {isOpen && <Hops affected={affected} />}
    </details>
  );
}

/** How many names one query may ask for. */
const MAX_NAMES = 100;

function Hops({ affected: { evidence } }: { affected: Affected }) {
  const ids = [...new Set(evidence.flatMap(({ from, to }) => [from, to]))].slice(0, MAX_NAMES);
  const asked = useQuery({ query: NAMES, variables: { ids } });
  const byId = new Map(asked[0].data?.nodes?.flatMap((node) => (node && "name" in node ? [[node.id, node]] : [])));
  const nameOf = (id: string) => {
    const node = byId.get(id);
    if (node === undefined) return id;
    const parent = "parent" in node ? node.parent : null;
    return <Link href={pathOfNode(node)}>{parent ? `${parent.name}.${node.name}` : node.name}</Link>;
  };
  return (
    <Loaded what="the names" asked={asked} rows={evidence.length}>
      {() => (
        <ol className={`stack tight small ${styles["hop-list"]}`}>
          {evidence.map(({ from, to, kind, transformation, expression }) => (
            <li className="words" key={`${from} ${to}`}>
              <span className="words inline tight">
                {nameOf(from)} <Icon name="right" size={12} /> {nameOf(to)}
              </span>
              <Badge label={KINDS[kind].label} tone={kind === "DIRECT" ? "good" : "neutral"} hint={KINDS[kind].title} />
              {transformation && <span className="faint">{transformation.toLowerCase().replaceAll("_", " ")}</span>}
              {expression && <code className="soft">{expression}</code>}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
