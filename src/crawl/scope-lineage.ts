/** Reads the SQL of a scope's assets, in an order in which each one's sources have their columns. */
import { nodeId } from "../catalog/identity.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import type { LineageRequest, Relation } from "../sql-lineage/request.ts";
import { type AssetLineage, type KnownRelation, toAssetLineage } from "./column-lineage.ts";
import { isName } from "./sound-facts.ts";
import type { Caller } from "../work/caller.ts";
import type { StatementReader } from "./statement-reader.ts";

/** How many texts are asked for at once: as many as one write of their answers is worth. */
const SLICE = 16;

/** An asset whose SQL is to be read, and the ids of the assets that it derives from. */
export interface Unread {
  id: string;
  statement: AssetStatement;
  parents: ReadonlySet<string>;
}

export interface ScopeLineageOptions {
  /** The workspace's name, which ids are made of. */
  workspace: string;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
  onRead: (count: number) => void;
}

/** The tables and models that a crawl stated so far, by their ids. */
export type Relations = Map<string, KnownRelation>;

/** Names alone, copied: what is kept must not keep the source's chunks alive. */
export function toKnownRelation({ ref, columns }: AssetStatement): KnownRelation {
  return structuredClone({ ref, columns: columns.map(({ name }) => name).filter(isName) });
}

/**
 * Yields what the SQL of the assets says, a few at a time, sources before what is made from them: so a source's columns
 * are known, and written, when they are pointed to. Those that derive from each other in a circle come all at once.
 * @param relations gains the columns that are learned on the way
 */
export async function* readScope(
  unread: readonly Unread[],
  relations: Relations,
  { workspace, reader, caller, onRead }: ScopeLineageOptions,
): AsyncGenerator<AssetLineage[]> {
  const pending = new Set(unread.map(({ id }) => id));
  let waiting = unread;
  while (waiting.length > 0) {
    const ready = waiting.filter(
      ({ id, parents }) => ![...parents].some((parent) => parent !== id && pending.has(parent)),
    );
    const next = ready.length > 0 ? ready : waiting;
    const step = ready.length > 0 ? SLICE : waiting.length;
    for (let start = 0; start < next.length; start += step) {
      const slice = next.slice(start, start + step).map(({ statement, parents }) => ({
        statement,
        sources: [...parents].flatMap((id) => relations.get(id) ?? []),
      }));
      const requests = slice.map(({ statement, sources }) => toRequest(statement, sources));
      const answers = await reader.read(requests, caller);
      const lineages = slice.flatMap(({ statement, sources }, i) => {
        const answer = answers[i];
        return answer === undefined ? [] : [toAssetLineage(workspace, statement, sources, answer)];
      });
      for (const { statement } of lineages) relations.set(nodeId(workspace, statement.ref), toKnownRelation(statement));
      yield lineages;
      onRead(slice.length);
    }
    for (const { id } of next) pending.delete(id);
    waiting = waiting.filter(({ id }) => pending.has(id));
  }
}

function toRequest({ ref, facts }: AssetStatement, parents: readonly KnownRelation[]): LineageRequest {
  return { sql: facts.sql ?? "", dialect: ref.platform, relations: parents.map(toRelation) };
}

/** A relation as the reader of SQL looks it up. */
export function toRelation({ ref, columns }: KnownRelation): Relation {
  const [name = "", schema = "", database = ""] = ref.parts.toReversed();
  return { database, schema, name, columns, completeness: columns.length === 0 ? "some" : "all", inlinedAs: "" };
}
