/** Reads the SQL of a scope's assets, each asset after its sources, so that the sources' columns are known. */
import { MAX_LISTED } from "../catalog/limits.ts";
import { type AssetStatement, sqlAsRun } from "../catalog/statement.ts";
import type { NodeId } from "../ids.ts";
import { type LineageAnswer, type LineageRequest, unresolved } from "../sql-lineage/request.ts";
import { type AssetLineage, toAssetLineage } from "./column-lineage.ts";
import { createRelationFinder, type LoadExternalRelations } from "./find-relations.ts";
import { type KnownRelation, type NamedColumn, type Relations, toKnownRelation, toRequest } from "./known-relations.ts";
import { createReadingOrder } from "./reading-order.ts";
import type { Unread } from "./open-scope.ts";
import { joinOutputColumns } from "./output-columns.ts";
import type { SqlContext } from "./statement-reader.ts";

/** How many texts are read before their answers are written. */
const SLICE = 16;

/** An asset that is being read. It is read again each time its SQL turns out to name further relations. */
interface ScopeReading extends Unread {
  /** Ids of relations that its SQL names but that its connector does not list as sources. */
  found: Set<NodeId>;
  /** As in `ReadAsset`. */
  isReadAlone: boolean;
}

/**
 * Yields the lineage of the assets, each asset once, a few at a time. An asset comes after its sources, so that their
 * columns are known and written before edges lead from them. Its sources are those that its connector lists and those
 * that its SQL names in addition. Assets that read each other in a circle come together.
 */
export async function* readScope(
  unread: readonly Unread[],
  context: SqlContext & { loadExternalRelations: LoadExternalRelations; onRead: (count: number) => void },
): AsyncGenerator<AssetLineage[]> {
  const { workspace, relations, reader, caller, onRead } = context;
  const readings = unread.map((each): ScopeReading => ({ ...each, found: new Set(), isReadAlone: false }));
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  const order = createReadingOrder(readings, (reading) => sourcesOf(reading, byId, relations));
  const findRelations = createRelationFinder(context, false);
  const inlined = new Map<NodeId, readonly NamedColumn[]>();

  /** Notes the relations that the SQL names in addition to those of the request. */
  async function findMore(
    slice: readonly ScopeReading[],
    answers: readonly (LineageAnswer | undefined)[],
  ): Promise<void> {
    const namings = slice.flatMap(({ statement: { ref, sourcesComplete }, parents, found }, i) => {
      const on = { ...ref, parts: ref.parts.slice(0, -1) };
      const only = sourcesComplete === true ? parents : undefined;
      const paths = answers[i]?.unfound ?? [];
      return paths.slice(0, Math.max(0, MAX_LISTED - found.size)).map((path) => ({ path, on, only, found }));
    });
    const ids = await findRelations(namings);
    for (const [i, { found }] of namings.entries()) {
      const id = ids[i];
      if (id != null) found.add(id);
    }
  }

  for (let slice = order.next(SLICE); slice.length > 0; slice = order.next(SLICE)) {
    const sources = slice.map((reading) => sourcesOf(reading, byId, relations));
    const toOwnRequest = ({ statement }: ScopeReading, i: number): LineageRequest =>
      toRequest(sqlAsRun(statement), statement.ref.platform, known(sources[i] ?? [], relations));
    const answers = await reader.read(slice.map(toOwnRequest), caller);
    for (const [i, reading] of slice.entries()) {
      const { runsAs, ...statement } = reading.statement;
      const answer = answers[i];
      if (runsAs === undefined || answer === undefined || !("unresolved" in answer)) continue;
      Object.assign(reading, { statement, isReadAlone: true });
      answers.splice(i, 1, ...(await reader.read([toOwnRequest(reading, i)], caller)));
    }
    await findMore(slice, answers);
    const read: { reading: ScopeReading; sources: NodeId[]; answer: LineageAnswer }[] = [];
    for (const [i, reading] of slice.entries()) {
      const [asked = [], answer = unresolved("it was not read")] = [sources[i], answers[i]];
      const more = sourcesOf(reading, byId, relations).filter((id) => !asked.includes(id));
      if (more.includes(reading.id)) learnOwn(relations, reading, { answer, sources: known(asked, relations) });
      if (more.length > 0) order.again(reading.id, more);
      else read.push({ reading, sources: asked, answer });
    }
    const outputColumns = read.map(({ reading, sources: asked, answer }) =>
      joinOutputColumns(reading.statement, answer, known(asked, relations)),
    );
    for (const [i, { reading }] of read.entries()) {
      const { columns = [], incomplete = null } = outputColumns[i] ?? {};
      learn(relations, { ...reading.statement, columns }, { id: reading.id, isComplete: incomplete === null });
    }
    const lineages = read.flatMap(({ reading, sources: asked, answer }, i) => {
      const { id, statement, found, parents, isReadAlone } = reading;
      const joined = outputColumns[i];
      if (joined === undefined) return [];
      const added = [...found].filter((parent) => parent !== id && !parents.has(parent));
      const own = toAssetLineage(workspace, {
        id,
        statement: { ...statement, columns: joined.columns },
        outputColumns: joined,
        answer,
        sources: known(asked, relations),
        sourceIds: asked,
        found: added,
        isReadAlone,
      });
      return withInlined(own, inlined, relations);
    });
    if (lineages.length > 0) yield lineages;
    for (const { reading } of read) order.done(reading.id);
    if (read.length > 0) onRead(read.length);
  }
}

/**
 * Ids of the relations that an asset's SQL may name. If a source is an ephemeral model, the ephemeral models that it
 * reads are included, because dbt writes them into the same SQL.
 */
function sourcesOf(
  { parents, found }: ScopeReading,
  byId: ReadonlyMap<NodeId, ScopeReading>,
  relations: Relations,
): NodeId[] {
  const ids = new Set([...parents, ...found].filter((id) => relations.has(id)));
  for (const id of ids) {
    if (relations.get(id)?.inlinedAs === "") continue;
    const inlined = byId.get(id);
    for (const parent of [...(inlined?.parents ?? []), ...(inlined?.found ?? [])]) {
      if ((relations.get(parent)?.inlinedAs ?? "") !== "") ids.add(parent);
    }
  }
  return [...ids];
}

function known(ids: readonly NodeId[], relations: Relations): KnownRelation[] {
  return ids.flatMap((id) => relations.get(id) ?? []);
}

/**
 * Adds the columns that the SQL of ephemeral models names. dbt writes that SQL into the asset's own SQL, so the asset
 * fails with it.
 * @param inlined the columns that each ephemeral model names, by the model's id; this asset is added if it is one
 */
function withInlined(
  lineage: AssetLineage,
  inlined: Map<NodeId, readonly NamedColumn[]>,
  relations: Relations,
): AssetLineage {
  const more = lineage.sourceIds.flatMap((id) => inlined.get(id) ?? []);
  const named = [...new Map([...lineage.named, ...more].map((column) => [column.id, column])).values()];
  if ((relations.get(lineage.id)?.inlinedAs ?? "") !== "") inlined.set(lineage.id, named);
  return more.length === 0 ? lineage : { ...lineage, named };
}

/**
 * Notes the columns that an asset has by its SQL. Columns that others named before are kept, unless they are listed
 * now.
 */
function learn(
  relations: Relations,
  statement: AssetStatement,
  { id, isComplete }: { id: NodeId; isComplete: boolean },
): void {
  const before = relations.get(id);
  const relation = toKnownRelation(statement);
  // A snapshot keeps the columns that it once had, so its list is not complete.
  const isWhole = isComplete && (statement.columnsAdded ?? []).length === 0;
  const inferred = [...(before?.inferred ?? [])].filter(([name]) => !relation.names.has(name));
  const completeness = isWhole ? "all" : isComplete ? "seen" : relation.completeness;
  relations.set(id, { ...relation, completeness, inferred: new Map(inferred), isWritten: true });
}

/**
 * Notes the columns of a model that reads itself. It has the columns that its SQL yields, and may have others from
 * earlier builds.
 */
function learnOwn(
  relations: Relations,
  { id, statement }: ScopeReading,
  { answer, sources }: { answer: LineageAnswer; sources: readonly KnownRelation[] },
): void {
  const { columns } = joinOutputColumns(statement, answer, sources);
  learn(relations, { ...statement, columns }, { id, isComplete: false });
  const own = relations.get(id);
  if (own !== undefined) relations.set(id, { ...own, completeness: "some", isWritten: false });
}
