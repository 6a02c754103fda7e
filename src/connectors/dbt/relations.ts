/** Models, seeds, snapshots and sources: the relations of the warehouse. */
import type { NodeRef } from "../../catalog/identity.ts";
import { storedParts } from "../../catalog/spelling.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { annotationsOf } from "./annotations.ts";
import { joinColumns, readColumns } from "./columns.ts";
import { stateSql } from "./compiled.ts";
import { errorEvent, listSome } from "../faults.ts";
import { resourceType } from "./one-statement.ts";
import type { Pause } from "../pacing.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { type Member, parseMember } from "./read-members.ts";
import type { Project } from "./read-project.ts";
import { nameOf, toRef } from "./relation-ref.ts";
import { type Relation, relationShape } from "./shapes.ts";
import { stateSnapshot } from "./snapshot.ts";
import type { Survey } from "./survey.ts";

/** States one relation. For a source with a loader, states the loader too. */
export function* stateRelation(
  member: Member,
  { survey, warehouse }: Project,
  graph: ProjectGraph,
): Generator<CrawlEvent | Pause> {
  const { key: id } = member;
  const relation = yield* parseMember(member, relationShape);
  const documented = relation && (yield* readColumns(id, relation.columns ?? {}));
  if (relation === null || documented === null) return;
  const facts = yield* annotationsOf(id, relation, survey.groups);
  const found = warehouse.get(id);
  const { columns, unseen, alike } = joinColumns(documented, found, survey.platform);
  for (const column of alike) {
    const message = `${id} has a column ${JSON.stringify(column)} whose name differs from another column's only in case; it is left out.`;
    yield errorEvent({ code: "alike_name", object: id, stage: "resolve", message });
  }
  const name = nameOf(relation);
  const { facts: code, ...untold } = stateSql(relation, survey.macros);
  const { materialized } = relation.config;
  const asset: AssetStatement = {
    ref: toRef(id, relation, survey),
    name,
    facts: {
      ...facts,
      description: facts.description || (found?.comment ?? ""),
      gap: describeLeftOut(alike),
      ...code,
      materialization: materialized,
      resourceTypes: [resourceType(id)],
    },
    columns,
    columnsSeen: found !== undefined,
    columnsUnseen: unseen,
    ...(id.startsWith("snapshot.") && stateSnapshot(relation)),
    ...(materialized === "ephemeral" && { inlinedAs: `__dbt__cte__${name}` }),
    ...untold,
  };
  const loader = yield* stateLoader(relation, survey, graph);
  const stored = relation.relation_name === "" ? null : storedParts(survey.platform, relation.relation_name);
  const sources =
    loader === null ? { from: relation.depends_on.nodes } : ({ kind: "materializes", from: [loader] } as const);
  yield* graph.state(id, asset, { ...sources, stored });
}

/**
 * States the tool that loads a source's rows into the warehouse, once.
 * @returns its id; null if the relation has none
 */
function* stateLoader(
  { loader, package_name: packageName }: Relation,
  { platform, instance }: Survey,
  graph: ProjectGraph,
): Generator<CrawlEvent, string | null> {
  const name = loader.trim();
  if (name === "") return null;
  const id = `loader.${packageName}.${fold(name)}`;
  const ref: NodeRef = { platform, instance, type: "pipeline", parts: [packageName, name] };
  if (graph.findById(id) === null) yield* graph.state(id, { ref, name, facts: {}, columns: [] });
  return id;
}

function describeLeftOut(columns: readonly string[]): string {
  if (columns.length === 0) return "";
  const named = listSome(columns.map((name) => JSON.stringify(name)));
  return `its columns ${named} are left out: their names differ from others only in case`;
}
