/** Tables, views, topics and files. Datasets that are one relation, such as a dbt model and its table, are one asset. */
import { isDeepStrictEqual } from "node:util";

import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import type { Pause } from "../pacing.ts";
import { withoutEmpty } from "../shapes.ts";
import type { Aspects } from "./aspects.ts";
import { primaryKey, stateColumns } from "./columns.ts";
import { type Directory, kindOf, stateLabels } from "./labels.ts";
import { columnsOf, type Edges } from "./lineage.ts";
import type { Entity } from "./entity.ts";
import { DBT, platformOf } from "./naming.ts";
import { stateUsage, stateWrite } from "./usage.ts";

export interface DatasetContext {
  directory: Directory;
  edges: Edges;
  /** The SQL of queries about a dataset. */
  textsOf: (urn: string) => readonly string[];
  now: Date;
}

/** @param entities that are this one relation */
export function* stateDataset(
  ref: NodeRef,
  entities: readonly Entity[],
  context: DatasetContext,
): Generator<Pause, AssetStatement> {
  // dbt says more about a relation than the warehouse.
  const members = entities.toSorted((a, b) => rank(a) - rank(b) || compareCodePoints(a.urn, b.urn));
  const stated: Stated[] = [];
  for (const each of members) stated.push(yield* stateMember(each, context));
  const names = new Map<string, string>();
  for (const { urn, aspects } of members) {
    const traced = yield* context.edges.flows(aspects.upstreamLineage?.fineGrainedLineages ?? [], urn);
    for (const name of columnsOf(ref, traced)) names.set(fold(name), name);
  }
  for (const { urn, aspects } of members) {
    for (const { dataset } of aspects.upstreamLineage?.upstreams ?? []) {
      yield null;
      context.edges.join(dataset, urn, "derives");
    }
  }
  const columns = yield* joinColumns(stated.toReversed().map((each) => each.columns));
  return {
    ref: { ...ref, type: members.some(isModel) ? "model" : "table" },
    name: firstOf(members, ({ datasetProperties }) => datasetProperties?.name) || (ref.parts.at(-1) ?? ""),
    facts: joinFacts(stated.map(({ facts }) => facts)),
    columns,
    // A type is known only of what was seen in the warehouse.
    ...(columns.some(({ dataType }) => dataType !== "") ? { columnsSeen: true } : {}),
    ...(names.size > 0 ? { columnsTraced: [...names.values()] } : {}),
  };
}

function isDbt({ urn }: Entity): boolean {
  return platformOf(urn) === DBT;
}

function rank(entity: Entity): number {
  return isDbt(entity) ? 0 : 1;
}

/** What dbt builds. Its sources are tables. */
function isModel(entity: Entity): boolean {
  const [kind = ""] = entity.aspects.subTypes?.typeNames ?? [];
  return isDbt(entity) && fold(kind) !== "source";
}

type Stated = Pick<AssetStatement, "facts" | "columns">;

function* stateMember(entity: Entity, { directory, textsOf, now }: DatasetContext): Generator<Pause, Stated> {
  const { urn, aspects } = entity;
  const { datasetProperties: properties, editableDatasetProperties: edited } = aspects;
  const facts = stateLabels(entity, directory, properties, edited?.description);
  const { sql, definition } = readView(entity);
  const told = withoutEmpty({ definition, primary_key: primaryKey(aspects), queries: textsOf(urn) });
  return {
    facts: {
      ...facts,
      ...stateUsage(entity, now),
      ...stateWrite(entity),
      sql,
      materialization: materializationOf(aspects),
      meta: withMore(facts.meta, told),
    },
    columns: yield* stateColumns(aspects, directory),
  };
}

/** Adds to what is under `datahub`. */
export function withMore(meta: Record<string, unknown> | undefined, more: object): Record<string, unknown> {
  return { ...meta, datahub: { ...Object(meta?.["datahub"]), ...more } };
}

/** The SQL of a view or of dbt's compiled model; anything else is a definition in another language. */
function readView(entity: Entity): { sql: string | null; definition: { language: string; text: string } | null } {
  const { viewLogic = "", formattedViewLogic = "", viewLanguage: language = "" } = entity.aspects.viewProperties ?? {};
  // What dbt calls formatted is compiled, and the other is a template.
  const text = isDbt(entity) ? formattedViewLogic || viewLogic : viewLogic || formattedViewLogic;
  if (text === "") return { sql: null, definition: null };
  const isSql = fold(language).endsWith("sql") && !/\{[{%]/.test(text);
  return isSql ? { sql: text, definition: null } : { sql: null, definition: { language, text } };
}

function materializationOf(aspects: Aspects): string {
  const { materialization = "" } = aspects.datasetProperties?.customProperties ?? {};
  if (materialization !== "") return materialization;
  return aspects.viewProperties?.materialized === true ? "materialized_view" : kindOf(aspects);
}

function firstOf(members: readonly Entity[], pick: (aspects: Aspects) => string | undefined): string {
  return members.map(({ aspects }) => pick(aspects)).find((each) => each !== undefined && each !== "") ?? "";
}

type Facts = AssetStatement["facts"];

/** For each fact, the first that is known. Tags are the union. */
function joinFacts(all: readonly Facts[]): Facts {
  const known = all.toReversed().map((facts) => Object.entries(facts).filter(([, value]) => !isUnknown(value)));
  return {
    // A later entry replaces an earlier one.
    ...Object.fromEntries(known.flat()),
    tags: [...new Set(all.flatMap(({ tags }) => tags ?? []))],
    meta: { datahub: Object.assign({}, ...all.toReversed().map(({ meta }) => meta?.["datahub"])) },
  };
}

function isUnknown(value: unknown): boolean {
  return value === undefined || value === null || value === "" || isDeepStrictEqual(value, []);
}

/** @param lists the first with types decides the order and the types, a later one the descriptions */
function* joinColumns(lists: readonly ColumnStatement[][]): Generator<Pause, ColumnStatement[]> {
  const joined = new Map<string, ColumnStatement>();
  const typed = lists.find((columns) => columns.some(({ dataType }) => dataType !== ""));
  const leading = typed ?? lists.find((columns) => columns.length > 0) ?? [];
  for (const column of leading) joined.set(fold(column.name), column);
  for (const column of lists.flat()) {
    yield null;
    const known = joined.get(fold(column.name));
    if (known === undefined || known === column) continue;
    const tags = [...new Set([...known.tags, ...column.tags])];
    joined.set(fold(column.name), { ...known, description: column.description || known.description, tags });
  }
  return [...joined.values()];
}
