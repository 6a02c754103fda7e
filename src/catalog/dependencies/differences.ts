/** Finds what changed upstream of a node, and describes it in sentences that a person can check. */
import { compareTypes } from "../data-type.ts";
import { matchByKey } from "../match-by-key.ts";
import { sqlHash } from "../sql-text.ts";
import type { ClosureNode } from "./closure.ts";
import type { AssetPart, ColumnPart, Definition, Dependencies, Named } from "./dependencies.ts";

/** Nodes that were upstream and no longer are, as they are now; null for nodes that nobody holds any more. */
export type LostNodes = ReadonlyMap<string, ClosureNode | null>;

export interface Difference {
  /**
   * - `definition`: a metric is defined otherwise.
   * - `gone`: nobody holds it any more.
   * - `sql`: the part of its SQL that matters is another; `reads`: the same SQL names or means others.
   * - `type`: a column has another data type; `expression`: another expression; `sources`: it comes from other columns.
   * - `rows`: other uses of columns decide the rows. `lost` and `gained`: it feeds the root no longer, or from now on.
   */
  kind: "definition" | "gone" | "sql" | "reads" | "type" | "expression" | "sources" | "rows" | "lost" | "gained";
  /** The node that differs; "" for the root, if that is a metric. */
  id: string;
  sentence: string;
  /** What the sentence quotes; "" if it quotes nothing. */
  before: string;
  after: string;
}

const MEANS_OTHERS = "is decided by other columns than before, which the same names now mean";
const MAX_NOTE_CHARACTERS = 2_000;
const MAX_QUOTED_CHARACTERS = 160;

/**
 * What changed; empty if a certification still holds. A change counts only if something was known
 * before and is now different or gone. If something becomes known or unknown, that is not a change.
 */
export function findDifferences(before: Dependencies, now: Dependencies, lostNodes: LostNodes): Difference[] {
  const reasons = [
    ...definitionChange(
      "",
      "the metric's own definition",
      before.definition,
      now.definition,
      isSameReader(before, now),
    ),
    ...metricChanges(before, now, lostNodes),
    ...assetChanges(before, now, lostNodes),
    ...columnChanges(before, now, lostNodes),
  ];
  return reasons.length === 0 ? [] : [...reasons, ...rowChanges(before, now), ...feedChanges(before, now, lostNodes)];
}

/** Joins the differences into one note. If it gets too long, the rest is only counted. */
export function toNote(differences: readonly Pick<Difference, "sentence">[]): string {
  let note = "";
  for (const [i, { sentence }] of differences.entries()) {
    if (note.length + sentence.length > MAX_NOTE_CHARACTERS) {
      note += `; and ${differences.length - i} more changes`;
      break;
    }
    note += note === "" ? sentence : `; ${sentence}`;
  }
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
}

/** The same SQL has another hash if other rules read it. */
export function isSameReader(before: Dependencies, now: Dependencies): boolean {
  return before.reader === now.reader;
}

/** Whether both are hashes of the same SQL. */
function isSameSql(before: string | null, now: string | null | undefined): boolean {
  return before !== null && before === now;
}

function isOther(before: string | null, now: string | null | undefined): boolean {
  return before !== null && (now ?? null) !== null && before !== now;
}

/** @param comparable whether the same rules read the SQL of both */
function definitionChange(
  id: string,
  subject: string,
  before: Definition,
  now: Definition,
  comparable: boolean,
): Difference[] {
  const changes: string[] = [];
  const texts: { before: string[]; after: string[] } = { before: [], after: [] };
  const change = (sentence: string, what: string, old: string, fresh: string): void => {
    changes.push(sentence);
    texts.before.push(`${what}: ${old}`);
    texts.after.push(`${what}: ${fresh}`);
  };
  if (before.kind !== now.kind)
    change(`it is now ${now.kind} instead of ${before.kind}`, "kind", before.kind, now.kind);
  const fields = [
    ["expression", before.expression, now.expression],
    ["grain", before.grain, now.grain],
    ["filters", before.filters.join(" and "), now.filters.join(" and ")],
    ["dimensions", before.dimensions.toSorted().join(", "), now.dimensions.toSorted().join(", ")],
  ] as const;
  const isSame = comparable && isSameSql(before.basis, now.basis);
  for (const [what, old, fresh] of fields) {
    if (sqlHash(old) === sqlHash(fresh) || (isSame && (what === "expression" || what === "filters"))) continue;
    const verb = what === "filters" || what === "dimensions" ? "are" : "is";
    change(`its ${what} ${verb} now ${quoteDiffering(fresh, old)}`, what, old, fresh);
  }
  if (!isSameList(before.sources, now.sources)) {
    const [old, fresh] = [namesOf(before.sources), namesOf(now.sources)];
    change(`its sources are now ${quoteDiffering(fresh, old)}`, "sources", old, fresh);
  } else if (!isSameList(before.reads, now.reads)) {
    const [old, fresh] = [namesOf(before.reads), namesOf(now.reads)];
    change(`it is now computed from ${quoteDiffering(fresh, old)}`, "computed from", old, fresh);
  }
  if (changes.length === 0 && comparable && isOther(before.basis, now.basis)) {
    const { removed, added } = matchByKey(before.uses, now.uses, (use) => use);
    const [old, fresh] = [removed.join(", "), added.join(", ")];
    const what = old === fresh ? "other SQL than before" : quoteDiffering(fresh, old);
    change(`the names in it now stand for ${what}`, "SQL", old, fresh);
  }
  if (changes.length === 0) return [];
  const [old, fresh] = [texts.before.join("\n"), texts.after.join("\n")];
  return [{ kind: "definition", id, sentence: `${subject} changed: ${changes.join(", ")}`, before: old, after: fresh }];
}

function metricChanges(before: Dependencies, now: Dependencies, lostNodes: LostNodes): Difference[] {
  return Object.entries(before.metrics).flatMap(([id, { name, definition }]) => {
    const after = now.metrics[id];
    if (after === undefined) return isGone(id, lostNodes) ? [gone(id, `metric ${quote(name)}`)] : [];
    return definitionChange(id, `metric ${quote(name)}`, definition, after.definition, isSameReader(before, now));
  });
}

function assetChanges(before: Dependencies, now: Dependencies, lostNodes: LostNodes): Difference[] {
  return Object.entries(before.assets).flatMap(([id, part]) => {
    const after = now.assets[id];
    const subject = `${part.type} ${quoteRenamed(part.name, after?.name)}`;
    if (isGone(id, lostNodes)) return [gone(id, subject)];
    if (isSameStatement(id, before, now) && isOther(part.rowsBasis, after?.rowsBasis))
      return [{ kind: "reads", id, sentence: `${subject} ${MEANS_OTHERS}`, before: "", after: "" }];
    const lost = lostNodes.get(id);
    const sql = after?.sql ?? lost?.sqlHash ?? null;
    if (part.sql === null || sql === null || part.sql === sql) return [];
    const isSame = isSameReader(before, now) && isSameSql(part.basis, after?.basis ?? lost?.basis);
    if (!isSame && !isDecidedAlike(id, before, now))
      return [{ kind: "sql", id, sentence: `${subject} changed its SQL`, before: "", after: "" }];
    if (after === undefined || isSameList(part.reads, after.reads)) return [];
    return [differing("reads", id, `${subject} now reads`, namesOf(part.reads), namesOf(after.reads))];
  });
}

/**
 * Whether the SQL of an asset changed only in parts that decide none of the columns that the metric depends on, nor
 * their rows.
 */
function isDecidedAlike(id: string, before: Dependencies, now: Dependencies): boolean {
  const part = before.assets[id];
  if (part?.whole !== false || !isSameReader(before, now) || !isSameRows(part, now.assets[id])) return false;
  const columns = Object.entries(before.columns).filter(([, { parentId }]) => parentId === id);
  return columns.every(([columnId, { basis }]) => isSameSql(basis, now.columns[columnId]?.basis));
}

function isSameRows(before: AssetPart, now: AssetPart | undefined): boolean {
  return isSameSql(before.rowsBasis, now?.rowsBasis);
}

function isSameList(before: readonly Named[], now: readonly Named[]): boolean {
  return before.length === now.length && before.every(({ id }, i) => id === now[i]?.id);
}

function namesOf(all: readonly Named[]): string {
  return all.map(({ name }) => name).join(", ");
}

function columnChanges(before: Dependencies, now: Dependencies, lostNodes: LostNodes): Difference[] {
  return Object.entries(before.columns).flatMap(([id, column]) => {
    const subject = `column ${quote(column.name)} of ${quoteRenamed(column.of, now.columns[id]?.of)}`;
    // If the table is gone, its columns are not listed.
    if (isGone(id, lostNodes)) return isGone(column.parentId, lostNodes) ? [] : [gone(id, subject)];
    const [after, lost] = [now.columns[id], lostNodes.get(id)];
    // The table may have really lost the column. The SQL that names it would then fail.
    if (!column.inferred && after?.inferred === true) return [gone(id, subject, ": only SQL still names it")];
    const { type = lost?.dataType ?? "", platform = lost?.platform ?? "" } = after ?? {};
    const isRetyped = column.type !== "" && type !== "" && compareTypes(column.type, type, platform) !== "same";
    const sentence = `${subject} is now of type ${type} instead of ${column.type}`;
    const retyped: Difference[] = isRetyped ? [{ kind: "type", id, sentence, before: column.type, after: type }] : [];
    const rewritten = after !== undefined && isComparable(column, after, before, now);
    const isSame = isSameSql(column.basis, after?.basis) || isSameStatement(column.parentId, before, now);
    return rewritten ? retyped.concat(sourceChange(id, subject, column, after, isSame)) : retyped;
  });
}

/** If other rules read the SQL, or the SQL could not be read, the lineage cannot be compared with the earlier one. */
function isComparable(column: ColumnPart, after: ColumnPart, before: Dependencies, now: Dependencies): boolean {
  const hasSql = (now.assets[column.parentId]?.sql ?? null) !== null;
  return hasSql ? isSameReader(before, now) && column.known && after.known : column.from.length > 0;
}

/** @param isSame whether the same SQL decides the column, even if it is spelled differently */
function sourceChange(
  id: string,
  subject: string,
  before: ColumnPart,
  after: ColumnPart,
  isSame: boolean,
): Difference[] {
  const [old, fresh] = [setOf(before, "expression"), setOf(after, "expression")];
  if (!isSame && old.symmetricDifference(fresh).size > 0) {
    return [differing("expression", id, `${subject} is now`, listOf(old), listOf(fresh))];
  }
  if (setOf(before, "id").symmetricDifference(setOf(after, "id")).size === 0)
    return isSame && isOther(before.basis, after.basis)
      ? [{ kind: "sources", id, sentence: `${subject} ${MEANS_OTHERS}`, before: "", after: "" }]
      : [];
  const [names, newNames] = [listOf(setOf(before, "column")), listOf(setOf(after, "column"))];
  return [differing("sources", id, `${subject} now comes from`, names, newNames)];
}

function setOf({ from }: ColumnPart, what: "expression" | "column" | "id"): Set<string> {
  return new Set(from.map((use) => use[what]));
}

function listOf(texts: ReadonlySet<string>): string {
  return [...texts].join(", ");
}

/** Changes of the uses that decide an asset's rows, if the same rules read them. */
function rowChanges(before: Dependencies, now: Dependencies): Difference[] {
  if (!isSameReader(before, now)) return [];
  return Object.entries(before.assets).flatMap(([id, part]) => {
    const { name, rows } = part;
    if (isSameStatement(id, before, now) || isSameRows(part, now.assets[id])) return [];
    const after = now.assets[id]?.rows ?? rows;
    const { removed, added } = matchByKey(rows, after, (row) => row);
    if (removed.length + added.length === 0) return [];
    return [differing("rows", id, `the rows of ${quote(name)} now depend on`, removed.join(", "), added.join(", "))];
  });
}

function feedChanges(before: Dependencies, now: Dependencies, lostNodes: LostNodes): Difference[] {
  const { removed, added } = matchByKey(nameFeeds(before), nameFeeds(now), ([id]) => id);
  const lost = removed.filter(([id]) => !isGone(id, lostNodes));
  return [
    ...lost.map(([id, subject]) => feed("lost", id, `${subject} no longer feeds it`)),
    ...added.map(([id, subject]) => feed("gained", id, `${subject} now feeds it`)),
  ];
}

function feed(kind: "lost" | "gained", id: string, sentence: string): Difference {
  return { kind, id, sentence, before: "", after: "" };
}

function gone(id: string, subject: string, how = ""): Difference {
  return { kind: "gone", id, sentence: `${subject} is gone${how}`, before: "", after: "" };
}

/** @param begin of the sentence, before what is new */
function differing(kind: Difference["kind"], id: string, begin: string, before: string, after: string): Difference {
  return { kind, id, sentence: `${begin} ${quoteDiffering(after, before)}`, before, after };
}

/** Names the assets and metrics for the note, by their ids. */
function nameFeeds({ assets, metrics }: Dependencies): Map<string, string> {
  return new Map([
    ...Object.entries(assets).map(([id, { type, name }]) => [id, `${type} ${quote(name)}`] as const),
    ...Object.entries(metrics).map(([id, { name }]) => [id, `metric ${quote(name)}`] as const),
  ]);
}

function isSameStatement(assetId: string, before: Dependencies, now: Dependencies): boolean {
  return isSameReader(before, now) && isSameSql(before.assets[assetId]?.basis ?? null, now.assets[assetId]?.basis);
}

function isGone(id: string, lostNodes: LostNodes): boolean {
  return lostNodes.get(id) === null;
}

function quoteDiffering(now: string, before: string): string {
  return `${quote(now)} instead of ${quote(before)}`;
}

/** A name, and the name that it had before if that is another. */
function quoteRenamed(before: string, now = before): string {
  return before === now ? quote(before) : `${quote(now)}, which replaces ${quote(before)},`;
}

function quote(text: string): string {
  if (text === "") return "nothing";
  return `\`${text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text}\``.toWellFormed();
}

/** Ids of nodes that were upstream and no longer are. The comparison needs to know whether somebody still holds them. */
export function lostIds(before: Dependencies, now: Dependencies): string[] {
  const kinds = ["metrics", "assets", "columns"] as const;
  return kinds.flatMap((kind) => Object.keys(before[kind]).filter((id) => now[kind][id] === undefined));
}
