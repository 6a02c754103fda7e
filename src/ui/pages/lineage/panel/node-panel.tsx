/** What is known of the selected node or column, and where to go from it. */
import { Link } from "wouter";

import { PersonName } from "../../../assets/names.tsx";
import { pathOfLineage, pathOfNode, pathOfAsset } from "../../../assets/asset-row.ts";
import { countOf, formatCount } from "../../../parts/count.ts";
import { Badge, CertificationBadge, RiskBadge, TypeIcon, Icon } from "../../../parts/marks.tsx";
import { NODE_TYPE_TABLE, type NodeType } from "../../../parts/node-types.ts";
import { Button } from "../../../parts/button.tsx";
import { Facts } from "../../../parts/facts.tsx";
import { SelectField } from "../../../parts/form.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { EvidenceDetails } from "../../impact/affected-list.tsx";
import { useActions } from "../canvas/actions.ts";
import { type Column, type LineageNode, SIDES } from "../model/graph.ts";
import { describeWhen, DIFFERENCE_MARKS, type DrawnDiff } from "../model/diff.ts";
import type { DrawnImpact } from "../model/impact.ts";
import { isOpen, type View } from "../model/view.ts";
import { describeImpact } from "./change-panel.tsx";
import { SidePanel } from "./side-panel.tsx";
import styles from "./side-panel.module.css";
import { Menu, MenuItem } from "../../../parts/menu.tsx";
import { listChanges } from "../../impact/change.ts";

/** How far it is from the root: less than 0 upstream; undefined if it is neither upstream nor downstream. */
function describeHops(hops: number | undefined): string {
  if (hops === undefined) return "beside the root";
  if (hops === 0) return "the root of this view";
  return `${countOf(Math.abs(hops), "hop")} ${hops < 0 ? "upstream" : "downstream"}`;
}

interface NodePanelProps {
  node: LineageNode;
  hops: number | undefined;
  view: View;
  /** Null if they are not shown. */
  columns: readonly Column[] | null;
  impact: DrawnImpact | null;
  diff: DrawnDiff | null;
}

export function NodePanel({ node, hops, view, columns, impact, diff }: NodePanelProps) {
  const actions = useActions();
  const { hasColumns } = NODE_TYPE_TABLE[node.type];
  const difference = diff?.nodes.get(node.id);
  return (
    <SidePanel
      label={`About ${node.name}`}
      onClose={() => actions.select(null)}
      title={
        <>
          <TypeIcon type={node.type} /> {node.name}
        </>
      }
    >
      {impact !== null && <Effect node={node} impact={impact} />}
      {diff !== null && difference !== undefined && (
        <p>
          <Badge label={difference.difference} {...DIFFERENCE_MARKS[difference.difference]} /> {describeWhen(diff)}
          {difference.details.length > 0 && `: ${difference.details.join(", ")}`}
        </p>
      )}
      <div className="cluster">
        <CertificationBadge certification={node.certification} />
        {node.isReferenced && <Badge tone="warn" icon="warning" label="only referenced" />}
      </div>
      {node.isReferenced && (
        <Warning>Others name it, but no connector has it. What it is made from is unknown.</Warning>
      )}
      {node.gap !== null && <Warning>{node.gap}</Warning>}
      <Facts
        look="terms"
        of={{
          Name: node.fqn,
          Owner: <PersonName of={node.ownedBy} none="nobody" />,
          Place: describeHops(hops),
          "Made from": formatCount(node.totals.up),
          Feeds: formatCount(node.totals.down),
        }}
      />
      <div className="cluster">
        {SIDES.filter((side) => node.totals[side] > 0).map((side) => {
          const open = isOpen(view, node.id, side);
          const act = open ? actions.collapse : actions.expand;
          return (
            <Button
              key={side}
              label={`${open ? "Close" : "Show"} ${side === "up" ? "upstream" : "downstream"}`}
              onClick={() => act(node.id, side)}
            />
          );
        })}
        {hasColumns && !node.isAbsent && (
          <Button
            icon="column"
            label={view.columns.has(node.id) ? "Hide columns" : "Show columns"}
            onClick={() => actions.toggleColumns(node.id)}
          />
        )}
        {!node.isAbsent && <ChangeMenu of={node.id} type={node.type} />}
      </div>
      {columns !== null && columns.length > 0 && (
        <SelectField
          label="Lineage of a column"
          value=""
          choices={[
            { value: "", label: "Choose a column" },
            ...columns.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ target }) => actions.selectColumn(node.id, target.value)}
        />
      )}
      <div className="cluster roomy">
        {!node.isAbsent && <Link href={pathOfNode(node)}>Open its page</Link>}
        {node.id !== view.root && !node.isAbsent && <Link href={pathOfLineage(node.id)}>Lineage from here</Link>}
        {node.id !== view.root && node.id !== view.pathTo && !node.isAbsent && (
          <Button label="Only the path to it" look="quiet" onClick={() => actions.showPath(node.id)} />
        )}
      </div>
    </SidePanel>
  );
}

/** What the chosen change does to it, and why. */
function Effect({ node, impact }: { node: LineageNode; impact: DrawnImpact }) {
  const { select } = useActions();
  const affected = impact.affected.get(node.id);
  return (
    <section className={`card sunken line stack snug wrap ${styles["effect"]}`} aria-label="What the change does">
      <p>
        If <Prose text={describeImpact(impact)} />
        {affected === undefined && (node.id === impact.origin ? "" : ": it is not affected, as far as is drawn.")}
      </p>
      {affected && (
        <>
          <p>
            <RiskBadge risk={affected.risk} /> <Prose text={affected.reason} />
          </p>
          <EvidenceDetails affected={affected} />
        </>
      )}
      <Button label="All that is affected" look="quiet" onClick={() => select(null)} />
    </section>
  );
}

function Warning({ children }: { children: string }) {
  return (
    <p className="notice warn beside-icon snug small">
      <Icon name="warning" size={14} /> {children}
    </p>
  );
}

/** Chooses a change of the selected node or column, to see what it affects. */
function ChangeMenu({ of, type }: { of: string; type: NodeType }) {
  const { assess } = useActions();
  return (
    <Menu trigger={<Button icon="impact" label="What breaks if …" />}>
      {listChanges(type).map(({ value, label }) => (
        <MenuItem key={value} label={label} onSelect={() => assess({ of, type: value, newType: null })} />
      ))}
    </Menu>
  );
}

/** The column whose lineage is highlighted. */
export function ColumnPanel({ node, column }: { node: LineageNode; column: Column }) {
  const { selectColumn } = useActions();
  const count = (isUp: boolean, kind: "DIRECT" | "INDIRECT"): number =>
    column.links.filter(({ from, to, uses }) => (isUp ? to : from).id === column.id && uses.includes(kind)).length;
  return (
    <SidePanel
      label={`About ${column.name}`}
      onClose={() => selectColumn(node.id, null)}
      title={
        <>
          <TypeIcon type="column" /> {column.name}
        </>
      }
    >
      <Facts
        look="terms"
        of={{
          "Column of": node.name,
          "Data type": column.dataType ?? "unknown",
          "Made from": `${count(true, "DIRECT")} direct, ${count(true, "INDIRECT")} indirect`,
          Feeds: `${count(false, "DIRECT")} direct, ${count(false, "INDIRECT")} indirect`,
        }}
      />
      {column.hasGap && <p className="soft">Not all of what it is made from is known.</p>}
      <div className="cluster">
        <ChangeMenu of={column.id} type="column" />
      </div>
      <div className="cluster roomy">
        <Link href={pathOfAsset(column.id)}>Open its page</Link>
        <Link href={pathOfLineage(column.id)}>Its lineage alone</Link>
      </div>
    </SidePanel>
  );
}
