/** What a change would affect: what people look at first, each with the reason, the owner and the evidence. */
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useQuery } from "urql";

import { parentOf, pathOfNode, usageWords } from "../../assets/asset-row.ts";
import { NodeName, PersonName } from "../../assets/names.tsx";
import { CertificationBadge, RiskBadge, TypeIcon, Badge, Icon } from "../../parts/marks.tsx";
import { Button } from "../../parts/button.tsx";
import { countOf, formatCount } from "../../parts/count.ts";
import { NODE_TYPE_TABLE, type NodeType } from "../../parts/node-types.ts";
import { Prose } from "../../parts/prose.tsx";
import styles from "./affected-list.module.css";
import { type Affected, type AffectedAsset, type Assets, type Unrefreshed, NAMES } from "./documents.ts";
import { LineageLink } from "./lineage-after.tsx";
import { Loaded } from "../../parts/listing.tsx";

/** How many of a section are shown at first, and by each press of the button. */
const STEP = 50;
const FEW = 10;

/** Such as "28 assets and metrics are affected, with 31 columns." The canvas says the same. */
export function countAssets({ total, columns }: Pick<Assets, "total" | "columns">): string {
  if (total === 0) return "Nothing that the catalog knows would be affected.";
  const what = total === 1 ? "asset or metric is affected" : "assets and metrics are affected";
  return `${formatCount(total)} ${what}${columns === 0 ? "" : `, with ${countOf(columns, "column")}`}.`;
}

/** The section in which an impact lists what is of this type. */
export function sectionOf(type: NodeType): string {
  return NODE_TYPE_TABLE[type].hasColumns ? "Models and tables" : NODE_TYPE_TABLE[type].plural;
}

export function AffectedList({ assets, isByOwner }: { assets: readonly AffectedAsset[]; isByOwner: boolean }) {
  const sections = Map.groupBy(assets, ({ impact: { ownedBy, type } }) =>
    isByOwner ? (ownedBy?.name ?? "Without an owner") : sectionOf(type),
  );
  return [...sections].map(([title, group]) => (
    <Group
      key={title}
      title={title}
      all={group}
      first={group[0] && NODE_TYPE_TABLE[group[0].impact.type].hasColumns ? FEW : STEP}
      line={({ impact, columns }) => <AffectedLine key={impact.id} affected={impact} columns={columns} />}
    />
  ));
}

interface GroupProps<Each> {
  title: string;
  all: readonly Each[];
  /** How many are shown at first. */
  first: number;
  line: (each: Each) => ReactNode;
  hint?: string;
  /** How many there are, if not all of them are given. */
  total?: number;
}

function Group<Each>({ title, all, first, line, hint, total = all.length }: GroupProps<Each>) {
  const [shown, setShown] = useState(first);
  return (
    <section className="stack snug" aria-label={title}>
      <h2 className="cluster subheading">
        {title} <span className="count">{formatCount(total)}</span>
      </h2>
      {hint && <p className="hint">{hint}</p>}
      <ul className="lines">{all.slice(0, shown).map(line)}</ul>
      {all.length > shown && (
        <Button
          label={`Show ${formatCount(Math.min(STEP, all.length - shown))} more`}
          onClick={() => setShown(shown + STEP)}
        />
      )}
      {all.length < total && <p className="hint">The first {formatCount(all.length)} can be shown.</p>}
    </section>
  );
}

/** What gets no new data, because something before it cannot be built. */
export function UnrefreshedList({ total, nodes }: Omit<Unrefreshed, "owners">) {
  return (
    <Group
      title="Will not be refreshed"
      hint="Not affected, but it keeps its old data until the models that cannot be built are edited."
      all={nodes}
      total={total}
      first={FEW}
      line={showUnrefreshed}
    />
  );
}

function showUnrefreshed(of: Unrefreshed["nodes"][number]) {
  return (
    <li key={of.id} className="line beside-icon">
      <TypeIcon type={of.type} />
      <div className="stack tight shrink">
        <div className="words">
          <NodeName node={of} />
          <span className="hint">{parentOf(of)}</span>
          <span className="push-on-wide soft small">
            <PersonName of={of.ownedBy} />
          </span>
        </div>
        <p className="soft wrap">
          <Prose text={of.reason} />
        </p>
      </div>
    </li>
  );
}

export function AffectedLine({ affected, columns }: { affected: Affected; columns?: AffectedAsset["columns"] }) {
  return (
    <li className="line beside-icon">
      <TypeIcon type={affected.type} />
      <div className="stack tight shrink">
        <div className="words">
          <NodeName node={affected} />
          <RiskBadge risk={affected.risk} />
          <CertificationBadge certification={affected.certification} />
          <span className="hint">{parentOf(affected)}</span>
          {affected.usage && <span className="hint">used by {usageWords(affected.usage).join(", ")}</span>}
          <span className="push-on-wide soft small">
            <PersonName of={affected.ownedBy} />
          </span>
        </div>
        <p className={`soft wrap ${styles["reason"]}`}>
          <Prose text={affected.reason} />
        </p>
        <div className="words">
          <EvidenceDetails affected={affected} />
          <LineageLink of={affected.id} name={affected.name} hops={affected.hops} />
          {columns !== undefined && columns.length > 0 && (
            <details>
              <summary className="hint">{countOf(columns.length, "column")}</summary>
              <ul className="words small">
                {columns.map(({ id, name, risk }) => (
                  <li key={id}>
                    <Link href={pathOfNode({ id, type: "column" })}>{name}</Link>
                    {risk !== affected.risk && <span className="hint"> {risk} risk</span>}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </div>
    </li>
  );
}

const KINDS = {
  DIRECT: { label: "direct", title: "Values go from one into the other." },
  INDIRECT: { label: "indirect", title: "It decides which values or rows there are." },
  UNKNOWN: { label: "unknown", title: "The two are connected. It is not known which columns are used." },
  NONE: { label: "not used", title: "No changed column is used here, but not all of the way is known." },
} as const;

/** Why a change passes from hop to hop. The names are loaded when it is opened. */
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
