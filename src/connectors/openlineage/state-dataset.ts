/** States a dataset: for each facet, the latest value from the jobs that use the dataset and from its own events. */
import { type NodeRef, toFqn } from "../../catalog/identity.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import type { SubjectStatements } from "../connector.ts";
import { withoutEmpty } from "../shapes.ts";
import { inScope, latestOf } from "./bodies.ts";
import { compareSaid, type DatasetFacts, joinFacts, type KeptColumn, type PlacedNote, since } from "./kept.ts";
import { MAX_FIELDS } from "./shapes.ts";

/** @param notes one of each subject. All of them are needed. */
export function stateDataset(subject: string, notes: readonly PlacedNote[]): SubjectStatements {
  const goneAt = latestOf(notes.map((note) => note.goneAt));
  // Statements from before a drop do not describe a dataset that was created later.
  const live = notes.filter(({ heldAt }) => heldAt !== null && heldAt > goneAt);
  const [named] = live.toSorted(byHeld).slice(-1);
  const stated = { needed: null, notes: [], expiresAt: null };
  if (named === undefined) return { ...stated, events: inScope(subject, []) };
  const described = live.map((note) => Object.assign({}, note, { facts: since(note.facts, goneAt) }));
  return { ...stated, events: inScope(subject, [{ kind: "asset", asset: toStatement(named.ref, described) }]) };
}

function byHeld(a: PlacedNote, b: PlacedNote): number {
  return (
    compareCodePoints(a.heldAt ?? "", b.heldAt ?? "") || compareCodePoints(JSON.stringify(a.ref), JSON.stringify(b.ref))
  );
}

function toStatement(ref: NodeRef, notes: readonly PlacedNote[]): AssetStatement {
  const facts = joinFacts(notes.map((note) => note.facts));
  const [owner = "", ...others] = facts.owners?.value ?? [];
  const columns = toColumns(facts, seenSince(facts.columns?.at ?? "", notes));
  const tags = (facts.tags?.value ?? []).filter(({ field }) => field === null);
  return {
    ref,
    name: ref.parts.at(-1) ?? toFqn(ref),
    columns,
    columnsSeen: columns.length > 0,
    ...tracedBy(notes),
    facts: {
      description: facts.description?.value ?? "",
      owner,
      tags: [...new Set(tags.map(({ label }) => label))],
      materialization: facts.type?.value ?? "",
      meta: withoutEmpty({ other_owners: others }),
    },
  };
}

/** The columns that readers saw after the last writer told its own, those of the last reader first. */
function seenSince(at: string, notes: readonly PlacedNote[]): KeptColumn[] {
  const seen = notes.flatMap(({ facts }) => facts.columnsSeen ?? []).filter((said) => said.at > at);
  return seen.toSorted((a, b) => compareSaid(b, a)).flatMap(({ value }) => value ?? []);
}

/** Each column once, with the tags that name it. */
function toColumns({ columns, tags }: DatasetFacts, seen: readonly KeptColumn[]): ColumnStatement[] {
  const byField = Map.groupBy(tags?.value ?? [], ({ field }) => fold(field ?? ""));
  const distinct = new Map<string, KeptColumn>();
  for (const column of [...(columns?.value ?? []), ...seen]) {
    // Each reader may have seen others.
    if (distinct.size >= MAX_FIELDS) break;
    distinct.getOrInsert(fold(column.name), column);
  }
  return [...distinct].map(([key, { name, dataType, description }]) => {
    const labels = (byField.get(key) ?? []).filter(({ field }) => field !== null).map(({ label }) => label);
    return { name, dataType, description, tags: [...new Set(labels)] };
  });
}

/**
 * The columns with lineage from every writer of the dataset, by their folded names, and why that is not all of it; nothing if no
 * writer gives any.
 */
function tracedBy(notes: readonly PlacedNote[]): Pick<AssetStatement, "columnsTraced" | "untraced"> {
  const runs = new Set(notes.flatMap(({ traced, within }) => (traced && within) || []));
  const writing = notes.filter(({ traced, within = "", isWrapper }) => !(isWrapper && !traced && runs.has(within)));
  const writers = writing.flatMap(({ traced }) => (traced === undefined ? [] : [traced]));
  const telling = writers.flatMap((traced) => (traced === null ? [] : [new Set(traced.map(fold))]));
  const [first, ...others] = telling;
  if (first === undefined) return {};
  if (telling.length < writers.length) return { columnsTraced: [], untraced: NOT_BY_ALL };
  const byAll = others.reduce((all, other) => all.intersection(other), first);
  const [untraced] = notes.flatMap(({ untold }) => untold ?? []).toSorted(compareCodePoints);
  return { columnsTraced: [...byAll].toSorted(compareCodePoints), ...(untraced !== undefined && { untraced }) };
}

const NOT_BY_ALL = "a job that writes it tells no lineage of columns";
