/** Charts and dashboards. */
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import type { Pause } from "../pacing.ts";
import { usageOf } from "../dbt/relation-ref.ts";
import { columnName } from "./columns.ts";
import type { DatasetContext } from "./datasets.ts";
import { kindOf, stateLabels } from "./labels.ts";
import type { Edges } from "./lineage.ts";
import type { Entity } from "./entity.ts";
import type { Naming } from "./naming.ts";
import { parseField } from "./urn.ts";
import { stateUsage } from "./usage.ts";

export function* stateReport(
  ref: NodeRef,
  entity: Entity,
  { directory, edges, now, naming }: DatasetContext & { naming: Naming },
): Generator<Pause, AssetStatement> {
  const { urn, type, aspects } = entity;
  const { chartInfo: chart, dashboardInfo: dashboard, chartQuery } = aspects;
  const info = chart ?? dashboard;
  for (const from of sourcesOf(entity)) {
    yield null;
    edges.join(from, urn, usageOf(ref));
  }
  yield* powerByFields(ref, entity, { edges, naming });
  const edited = aspects.editableChartProperties ?? aspects.editableDashboardProperties;
  const facts = stateLabels(entity, directory, info, edited?.description);
  return {
    ref,
    name: info?.title || (ref.parts.at(-1) ?? urn),
    facts: {
      ...facts,
      url: chart?.chartUrl || dashboard?.dashboardUrl || facts.url || null,
      sql: chartQuery?.rawQuery || null,
      materialization: kindOf(aspects, type),
      ...stateUsage(entity, now),
    },
    columns: [],
  };
}

function sourcesOf({ aspects: { chartInfo: chart, dashboardInfo: dashboard } }: Entity): string[] {
  const edges = [chart?.inputEdges, dashboard?.chartEdges, dashboard?.datasetEdges, dashboard?.dashboards];
  const named = [chart?.inputs, dashboard?.charts, dashboard?.datasets];
  return [
    ...named.flatMap((urns) => urns ?? []),
    ...edges.flatMap((all) => (all ?? []).map(({ destinationUrn }) => destinationUrn)),
  ];
}

function* powerByFields(
  to: NodeRef,
  { urn, aspects }: Entity,
  { edges, naming }: { edges: Edges; naming: Naming },
): Generator<Pause> {
  for (const { schemaFieldUrn } of aspects.inputFields?.fields ?? []) {
    yield null;
    const field = parseField(schemaFieldUrn);
    const dataset = field && naming.refOf(field.dataset);
    if (field === null || dataset === null) continue;
    edges.add({ from: columnRef(dataset, columnName(field.path)), to, kind: usageOf(to) }, urn);
  }
}
