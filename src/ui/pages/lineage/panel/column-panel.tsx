/** The column whose lineage is highlighted. */
import { Link } from "wouter";

import { pathOfAsset, pathOfLineage } from "../../../assets/asset-row.ts";
import { TypeIcon } from "../../../parts/badge.tsx";
import { Facts } from "../../../parts/facts.tsx";
import { useActions } from "../canvas/actions.ts";
import type { Column, LineageNode } from "../model/graph.ts";
import { ChangeMenu } from "./change-menu.tsx";
import { SidePanel } from "./side-panel.tsx";

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
