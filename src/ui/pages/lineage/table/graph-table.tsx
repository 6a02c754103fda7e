/** The same lineage as a table: it shows and opens what the canvas does. */
import { useEffect, useRef, useState } from "react";

import { NodeName } from "../../../assets/names.tsx";
import { formatCount } from "../../../parts/count.ts";
import { Badge, CertificationBadge, TypeIcon } from "../../../parts/marks.tsx";
import { Button } from "../../../parts/button.tsx";
import { Row, type Sorting, Table } from "../../../parts/table.tsx";
import { useActions } from "../canvas/actions.ts";
import { DifferenceMark, EffectMark } from "../canvas/asset-node.tsx";
import { type Effect, effectOn } from "../model/impact.ts";
import { differenceOf } from "../model/diff.ts";
import { type Difference, type LineageNode, linkKey, type Side, SIDES, sideKey } from "../model/graph.ts";
import { measureHops } from "../model/paths.ts";
import type { Picture, ShownLink } from "../model/picture.ts";
import { isOpen, type View } from "../model/view.ts";
import styles from "./graph-table.module.css";

type SortKey = "name" | "type" | "hops";

const HEADINGS = [
  { label: "Asset", key: "name", isName: true, className: "nowrap" },
  { label: "Type", key: "type" },
  { label: "Hops", key: "hops", className: "soft number nowrap" },
  { label: "State" },
  { label: "Made from" },
  { label: "Feeds" },
  { label: "Show more" },
] as const;

/** Neighbours that a cell names; the others are counted. */
const NAMED = 4;

export function GraphTable({ picture, view }: { picture: Picture; view: View }) {
  const [sorting, setSorting] = useState<Sorting<SortKey>>({ by: "hops", isDescending: false });
  const selected = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (view.selected !== null) selected.current?.scrollIntoView({ block: "nearest" });
  }, [view.selected]);
  const links = [...picture.links.values()];
  const hops = measureHops(links, picture.root);
  const from = Map.groupBy(links, (link) => link.to);
  const feeds = Map.groupBy(links, (link) => link.from);
  const compare: Record<SortKey, (a: LineageNode, b: LineageNode) => number> = {
    name: (a, b) => a.name.localeCompare(b.name),
    type: (a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name),
    hops: (a, b) => (hops.get(a.id) ?? Infinity) - (hops.get(b.id) ?? Infinity) || a.name.localeCompare(b.name),
  };
  const sorted = [...picture.nodes.values()].toSorted(compare[sorting.by]);
  const rows = sorting.isDescending ? sorted.toReversed() : sorted;
  return (
    <Table label="The lineage as a table" columns={HEADINGS} sorting={sorting} onSort={setSorting}>
      <tbody>
        {rows.map((node) => (
          <Row
            key={node.id}
            columns={HEADINGS}
            ref={node.id === view.selected ? selected : null}
            aria-current={node.id === view.selected || undefined}
            className={node.id === picture.root ? styles["root"] : undefined}
          >
            {node.isAbsent ? <span title={node.fqn}>{node.name}</span> : <NodeName node={node} className={undefined} />}
            <span className="row inline tight">
              <span aria-hidden="true">
                <TypeIcon type={node.type} />
              </span>
              {node.type}
            </span>
            {describeHops(hops.get(node.id))}
            <State
              node={node}
              effect={effectOn(node.id, picture.impact)}
              difference={differenceOf(node.id, picture.diff)}
            />
            <Ends links={from.get(node.id) ?? []} end="from" picture={picture} />
            <Ends links={feeds.get(node.id) ?? []} end="to" picture={picture} />
            <More node={node} view={view} picture={picture} />
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function describeHops(hops: number | undefined): string {
  if (hops === undefined) return "beside";
  if (hops === 0) return "root";
  return hops < 0 ? `${-hops} up` : `${hops} down`;
}

interface StateProps {
  node: LineageNode;
  effect: Effect;
  difference: Difference | null;
}

function State({ node: { certification, isReferenced, gap }, effect, difference }: StateProps) {
  return (
    <span className="cluster">
      <DifferenceMark difference={difference} />
      <EffectMark effect={effect} />
      <CertificationBadge certification={certification} />
      {isReferenced && <Badge label="only referenced" tone="warn" />}
      {gap !== null && <Badge tone="warn" icon="warning" label="gap" title={gap} />}
    </span>
  );
}

function Ends({ links, end, picture }: { links: readonly ShownLink[]; end: "from" | "to"; picture: Picture }) {
  const named = links.slice(0, NAMED).map((link) => {
    const difference = picture.diff?.links.get(linkKey(link))?.difference;
    const how =
      link.through > 0
        ? "through hidden"
        : [...link.kinds, ...link.uses, ...(difference === undefined ? [] : [difference])].join(", ");
    return `${picture.nodes.get(link[end])?.name ?? ""} (${how})`;
  });
  const others = links.length - named.length;
  return (
    <span className={`block soft small wrap ${styles["ends"]}`}>
      {[...named, ...(others > 0 ? [`${others} more`] : [])].join(", ")}
    </span>
  );
}

function More({ node, view, picture }: { node: LineageNode; view: View; picture: Picture }) {
  const actions = useActions();
  const folded = (side: Side): number =>
    picture.folds.find((fold) => fold.of === node.id && fold.side === side)?.count ??
    picture.unseen.get(sideKey(node.id, side)) ??
    0;
  return (
    <span className="cluster">
      {SIDES.filter((side) => folded(side) > 0).map((side) => {
        const direction = side === "up" ? "upstream" : "downstream";
        const count = formatCount(folded(side));
        const act = isOpen(view, node.id, side) ? actions.showMore : actions.expand;
        return (
          <Button
            key={side}
            label={`+${count} ${direction}`}
            look="quiet"
            aria-label={`+${count} ${direction} of ${node.name}`}
            onClick={() => act(node.id, side)}
          />
        );
      })}
    </span>
  );
}
