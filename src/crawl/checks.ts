/** Works out which columns the checks of a scope need, once it is known which columns their assets have. */
import { type Check, type CheckedColumn, checkId, type CheckStatement } from "../catalog/check.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { MAX_LISTED } from "../catalog/limits.ts";
import { fold } from "../catalog/text.ts";
import type { CrawlError } from "../connectors/connector.ts";
import type { LineageAnswer, LineageRequest } from "../sql-lineage/request.ts";
import type { Caller } from "../work/caller.ts";
import { type KnownRelation, type Relations, toRelation } from "./known-relations.ts";
import { isName } from "./sound-facts.ts";
import type { StatementReader } from "./statement-reader.ts";

/** How many checks are worked out between two writes. */
const BATCH = 100;

interface CheckOptions {
  /** The workspace's name, which ids are made of. */
  workspace: string;
  relations: Relations;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
}

/**
 * Yields the checks, a few at a time.
 * @param statements within bounds; emptied
 * @param errors gains one for each asset that has more checks than are kept
 */
export async function* readChecks(
  statements: CheckStatement[],
  { workspace, relations, reader, caller }: CheckOptions,
  errors: { add: (error: CrawlError) => void },
): AsyncGenerator<Check[]> {
  const counts = new Map<string, number>();
  while (statements.length > 0) {
    const batch = statements.splice(0, BATCH).map((statement) => {
      const ids = new Set(statement.assets.map((ref) => nodeId(workspace, ref)));
      return { statement, assets: [...ids].flatMap((id) => relations.get(id) ?? []) };
    });
    const asked = batch.flatMap(({ statement: { sql }, assets }) => (sql === null ? [] : [toRequest(sql, assets)]));
    const answers = (await reader.read(asked, caller)).values();
    const checks = batch.map(({ statement, assets }) =>
      toCheck(workspace, statement, assets, statement.sql === null ? null : (answers.next().value ?? null)),
    );
    yield checks.filter((check, i) => hasRoom(check, batch[i]?.assets[0]?.ref, counts, errors));
  }
}

function toRequest(sql: string, assets: readonly KnownRelation[]): LineageRequest {
  return { sql, dialect: assets[0]?.ref.platform ?? "", relations: assets.map(toRelation) };
}

/** @param answer about the check's SQL; null where there is none */
function toCheck(
  workspace: string,
  { object, name, kind, test, severity, result, columns, texts }: CheckStatement,
  assets: readonly KnownRelation[],
  answer: LineageAnswer | null,
): Check {
  const byId = new Map(assets.map((asset) => [nodeId(workspace, asset.ref), asset]));
  const ids = [...byId.keys()];
  const found = new Map<string, CheckedColumn>();
  const add = (asset: NodeRef, column: string, type = ""): void => {
    const id = nodeId(workspace, columnRef(asset, column));
    if (isName(column) && !found.has(id)) found.set(id, { id, type });
  };
  for (const { asset, name: text, type } of columns) {
    const relation = byId.get(nodeId(workspace, asset));
    if (relation !== undefined) for (const each of namesIn(text, relation)) add(asset, each, type);
  }
  for (const { relation, column } of answer === null || "unresolved" in answer ? [] : answer.named) {
    const asset = assets[relation];
    if (asset !== undefined) add(asset.ref, column);
  }
  const isRead = answer !== null && !("unresolved" in answer) && answer.unresolvedUse === null;
  const wordsOf = createSplitter();
  for (const { asset, text } of isRead ? texts.filter((each) => !each.instead) : texts) {
    const relation = byId.get(nodeId(workspace, asset));
    if (relation !== undefined) for (const column of columnsAmong(wordsOf(text), relation)) add(asset, column);
  }
  return {
    id: checkId(workspace, object, ids),
    object,
    name,
    kind,
    test,
    severity,
    assets: ids,
    columns: [...found.values()].slice(0, MAX_LISTED),
    result,
  };
}

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const QUOTED_NAME = /^(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\])$/;

/** The column that a test names, or the columns that its expression holds, such as `lower(email)`. */
function namesIn(text: string, relation: KnownRelation): string[] {
  const [, ...quoted] = QUOTED_NAME.exec(text.trim()) ?? [];
  const name = quoted.find((each) => each !== undefined) ?? text.trim();
  const known = relation.columns.find((column) => fold(column) === fold(name));
  if (known !== undefined) return [known];
  return PLAIN_NAME.test(name) || quoted.length > 0 ? [name] : columnsAmong(splitWords(name), relation);
}

const WORDS = /[\p{L}_][\p{L}\p{N}_$]*/gu;

function splitWords(text: string): ReadonlySet<string> {
  return new Set([...fold(text).matchAll(WORDS)].map(([word]) => word));
}

/** One text often stands for several assets. */
function createSplitter(): (text: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (text) => {
    const words = known.get(text) ?? splitWords(text);
    known.set(text, words);
    return words;
  };
}

function columnsAmong(words: ReadonlySet<string>, { columns }: KnownRelation): string[] {
  return columns.filter((column) => {
    const folded = fold(column);
    return words.has(folded) || (!PLAIN_NAME.test(folded) && [...splitWords(folded)].every((word) => words.has(word)));
  });
}

/** Whether the asset that a check belongs to is there, and has room for one more. */
function hasRoom(
  { assets: [owner = ""] }: Pick<Check, "assets">,
  ref: NodeRef | undefined,
  counts: Map<string, number>,
  errors: { add: (error: CrawlError) => void },
): boolean {
  if (ref === undefined) return false;
  const count = (counts.get(owner) ?? 0) + 1;
  counts.set(owner, count);
  if (count === MAX_LISTED + 1) {
    errors.add({
      code: "too_many",
      message: `Of the checks of this asset only the first ${MAX_LISTED} are kept.`,
      object: toFqn(ref),
      stage: "write",
      severity: "error",
      retryable: false,
    });
  }
  return count <= MAX_LISTED;
}
