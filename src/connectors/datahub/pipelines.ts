/** Flows and their jobs: what moves data. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import type { Pause } from "../pacing.ts";
import { type Directory, kindOf, stateLabels } from "./labels.ts";
import { type DatasetContext, withMore } from "./datasets.ts";
import type { Entity } from "./entity.ts";
import { parseUrn } from "./urn.ts";

export function stateFlow(ref: NodeRef, entity: Entity, { directory }: { directory: Directory }): AssetStatement {
  const { dataFlowInfo: info, editableDataFlowProperties: edited } = entity.aspects;
  const facts = stateLabels(entity, directory, info, edited?.description);
  const materialization = kindOf(entity.aspects);
  return { ref, name: info?.name || (ref.parts.at(-1) ?? ""), facts: { ...facts, materialization }, columns: [] };
}

/** A flow writes what its jobs write, because a reader of a table asks which flow fills it. */
export function* stateJob(
  ref: NodeRef,
  entity: Entity,
  { directory, edges }: DatasetContext,
): Generator<Pause, AssetStatement> {
  const { urn, aspects } = entity;
  const { dataJobInfo: info, dataJobInputOutput: flows, dataTransformLogic: logic } = aspects;
  const [flow = ""] = parseUrn(urn)?.parts ?? [];
  for (const from of namesOf(flows?.inputDatasets, flows?.inputDatasetEdges)) {
    yield null;
    edges.join(from, urn, "reads");
  }
  for (const to of namesOf(flows?.outputDatasets, flows?.outputDatasetEdges)) {
    yield null;
    edges.join(urn, to, "materializes");
    edges.join(flow, to, "materializes");
  }
  yield* edges.flows(flows?.fineGrainedLineages ?? [], urn);
  const facts = stateLabels(entity, directory, info, aspects.editableDataJobProperties?.description);
  const after = namesOf(flows?.inputDatajobs, flows?.inputDatajobEdges);
  return {
    ref,
    name: info?.name || (ref.parts.at(-1) ?? ""),
    facts: {
      ...facts,
      sql: (logic?.transforms ?? []).map(({ queryStatement }) => queryStatement.value).join(";\n\n") || null,
      materialization: kindOf(aspects),
      meta: withMore(facts.meta, after.length > 0 ? { runs_after: after } : {}),
    },
    columns: [],
  };
}

function namesOf(urns: readonly string[] = [], edges: readonly { destinationUrn: string }[] = []): string[] {
  return [...new Set([...urns, ...edges.map(({ destinationUrn }) => destinationUrn)])];
}
