/** Finds the columns that the checks of a scope need, after the columns of their assets are known. */
import { setImmediate } from "node:timers/promises";

import { type Check, type CheckedColumn, checkId, type CheckStatement, PIPELINE_CHECKS } from "../catalog/check.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { MAX_CHECKS, MAX_LISTED } from "../catalog/limits.ts";
import { fold } from "../catalog/text.ts";
import { type CrawlError, crawlError } from "../catalog/crawl.ts";
import type { WorkspaceName } from "../ids.ts";
import type { LineageAnswer } from "../sql-lineage/request.ts";
import { type KnownRelation, newRelation, toRequest } from "./known-relations.ts";
import { isName } from "./sanitize-facts.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";
import type { SqlContext } from "./statement-reader.ts";

/** How many checks are worked out between two writes. */
const BATCH = 100;

/** How many columns are searched for in the texts of one check. */
const MAX_COLUMNS_LOOKED_AT = 100_000;

export interface ReadCheck {
  check: Check;
  /** Whether its SQL was read, and every name in it was found. */
  isResolved: boolean;
}

export async function writeChecks({ name, checks }: OpenScope, crawl: CrawlParts): Promise<void> {
  for await (const read of readChecks(checks, crawl, crawl.errors)) {
    await crawl.graph.writeChecks(
      crawl.stamp,
      name,
      read.map(({ check }) => check),
    );
  }
}

/**
 * Yields the checks, a few at a time.
 * @param statements checks within limits; the list is emptied
 * @param errors gets one error for each asset that has more checks than are kept
 */
export async function* readChecks(
  statements: CheckStatement[],
  { workspace, relations, reader, caller }: SqlContext,
  errors: { add: (error: CrawlError) => void },
): AsyncGenerator<ReadCheck[]> {
  const counts = new Map<string, number>();
  while (statements.length > 0) {
    const batch = statements.splice(0, BATCH).map((statement) => {
      const refs = new Map(statement.assets.map((ref) => [nodeId(workspace, ref), ref]));
      // A pipeline is no relation, so no SQL can name it.
      const pipelineOf = (ref: NodeRef) => (PIPELINE_CHECKS.has(statement.kind) ? newRelation(ref, [], "some") : []);
      return { statement, assets: [...refs].flatMap(([id, ref]) => relations.get(id) ?? pipelineOf(ref)) };
    });
    const asked = batch.flatMap(({ statement: { sql }, assets }) =>
      sql === null ? [] : [toRequest(sql, assets[0]?.ref.platform ?? "", assets)],
    );
    const answers = (await reader.read(asked, caller)).values();
    const checks: ReadCheck[] = [];
    for (const { statement, assets } of batch) {
      const answer = statement.sql === null ? null : (answers.next().value ?? null);
      const check = toCheck(workspace, statement, assets, answer);
      if (hasRoom(assets, counts, { workspace, errors })) checks.push({ check, isResolved: isResolved(answer) });
      // A test of very many columns takes some ten milliseconds, so the event loop gets a turn.
      await setImmediate();
    }
    yield checks;
  }
}

function isResolved(answer: LineageAnswer | null): boolean {
  return answer !== null && !("unresolved" in answer) && answer.unresolvedUse === null;
}

/** @param answer about the check's SQL; null if it has no SQL */
function toCheck(
  workspace: WorkspaceName,
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
  let left = MAX_COLUMNS_LOOKED_AT;
  for (const { assets: named, text } of isResolved(answer) ? texts.filter((each) => !each.instead) : texts) {
    const words = splitWords(text);
    for (const relation of named.flatMap((ref) => byId.get(nodeId(workspace, ref)) ?? [])) {
      left -= relation.columns.length;
      if (left >= 0) for (const column of columnsAmong(words, relation)) add(relation.ref, column);
    }
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

/** The column that a test names, or the columns in an expression such as `lower(email)`. */
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

function columnsAmong(words: ReadonlySet<string>, { columns }: KnownRelation): string[] {
  return columns.filter((column) => {
    const folded = fold(column);
    return words.has(folded) || (!PLAIN_NAME.test(folded) && [...splitWords(folded)].every((word) => words.has(word)));
  });
}

/** Whether the check has assets, and each of them may have one more check. */
function hasRoom(
  assets: readonly KnownRelation[],
  counts: Map<string, number>,
  { workspace, errors }: { workspace: WorkspaceName; errors: { add: (error: CrawlError) => void } },
): boolean {
  let isFull = assets.length === 0;
  for (const { ref } of assets) {
    const id = nodeId(workspace, ref);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    isFull ||= count > MAX_CHECKS;
    if (count !== MAX_CHECKS + 1) continue;
    const message = `Of the checks that need this asset only the first ${MAX_CHECKS} are kept.`;
    errors.add(crawlError({ code: "too_many", message, object: toFqn(ref), stage: "write" }));
  }
  return !isFull;
}
