/** Compares a project as it was crawled with a new state of it. */
import type { NodeId } from "../../ids.ts";
import { compareCodePoints, fold } from "../text.ts";
import {
  type Change,
  CHANGE_TYPE_OF,
  type ChangeSet,
  type NextRelation,
  type PresentRelation,
  type RelationState,
  type Uncompared,
  UNOWNED,
} from "./change.ts";
import { compareColumns, unreadRelation } from "./compare-columns.ts";
import { matchRelations, type RelationMatch } from "./match-relations.ts";
import { findTarget } from "./target.ts";

/** Begins what is told of columns whose new types are not known. */
export const UNTYPED = "the new type";

/** Matches by id, relation or name are at least this sure. Less certain ones say nothing about the whole project. */
const SURE = 0.95;

/**
 * Compares two states of a project. It yields between pieces of work, so that others get a turn.
 * @param unread names or source ids of assets that the new state has but that could not be read, so they are not gone
 */
export function* comparingProjects(
  present: readonly PresentRelation[],
  next: readonly NextRelation[],
  unread: ReadonlySet<string> = new Set(),
): Generator<void, ChangeSet> {
  const { matches, gone } = yield* matchRelations(present, next);
  const follows = new Map<NodeId, NodeId>();
  const uncompared: Uncompared[] = [];
  const changes: Change[] = [];
  for (const { old, new: relation } of matches) {
    if (old.id === relation.id) continue;
    follows.set(old.id, relation.id);
    // Until the comparison says otherwise, a column keeps its name. The new state need not list it, as that of a seed.
    for (const { id, name } of old.columns) {
      yield;
      follows.set(id, relation.columnId(name));
    }
  }
  const target = findTarget(matches.filter(({ confidence }) => confidence >= SURE));
  if (target !== null) uncompared.push(target.note);
  let untyped = 0;
  // A rename is recognised by the origins of the column, so sources are compared before what is made from them.
  for (const match of yield* inOrderOfOrigin(matches)) {
    yield;
    const compared = yield* compareColumns(match.old, match.new, (id) => follows.get(id) ?? id);
    for (const { old, new: column } of compared.kept) {
      if (old.id !== column.id) follows.set(old.id, column.id);
      // The same SQL gives a column the type that it has, as far as this relation decides it.
      if (match.old.sql !== match.new.sql && old.dataType !== "" && column.dataType === "") untyped += 1;
    }
    for (const each of compared.uncompared) uncompared.push(each);
    if (isMoved(match) && target?.explains(match) !== true) changes.push(movedRelation(match));
    for (const change of compared.changes) {
      changes.push(change);
      if (change.kind === "column_dropped") follows.delete(change.id);
    }
  }
  for (const relation of gone) {
    if (unread.has(relation.sourceId) || unread.has(fold(relation.name))) {
      uncompared.push(unreadRelation(relation, "could not be read in the new manifest"));
    } else {
      changes.push(changeOf(relation, "asset_dropped"));
    }
  }
  const matched = new Set(matches.map((match) => match.new));
  for (const relation of next) {
    if (relation.unread !== null && !matched.has(relation))
      uncompared.push(unreadRelation(relation, `is new, and could not be read: ${relation.unread}`));
  }
  if (untyped > 0) {
    const what = untyped === 1 ? " of 1 column is" : `s of ${untyped} columns are`;
    const message = `${UNTYPED}${what} not known: a catalog.json, or data_type, tells it`;
    uncompared.push({ object: "", message, unread: null });
  }
  const models = matches.filter(({ old }) => old.type === "model");
  return {
    changes: yield* inOrderOfPresent(changes, present),
    uncompared: uncompared.toSorted(byObject),
    coverage: {
      models: present.filter(({ type }) => type === "model").length,
      found: models.length,
      compared: models.filter((match) => match.new.unread === null).length,
    },
    follows,
  };
}

function changeOf({ id, name, fqn, type }: RelationState, kind: "asset_dropped" | "asset_moved"): Change {
  const unsaid = { newName: "", oldType: "", newType: "", confidence: 1, because: "", ...UNOWNED };
  return { kind, changeType: CHANGE_TYPE_OF[kind], id, name, fqn, type, ...unsaid };
}

function movedRelation({ old, new: { fqn: newName }, confidence, because }: RelationMatch): Change {
  return { ...changeOf(old, "asset_moved"), newName, confidence, because };
}

function isMoved({ old, new: next }: RelationMatch): boolean {
  return fold(old.fqn) !== fold(next.fqn);
}

/** Puts a relation after the relations that its values come from. In a circle the order does not matter. */
function* inOrderOfOrigin(matches: readonly RelationMatch[]): Generator<void, RelationMatch[]> {
  const ownerOf = new Map<NodeId, RelationMatch>();
  for (const match of matches) {
    yield;
    for (const { id } of match.new.columns) ownerOf.set(id, match);
  }
  const ordered = new Set<RelationMatch>();
  const seen = new Set<RelationMatch>();
  for (const start of matches) {
    // It keeps a stack of its own, because chains of models may be longer than function calls can nest.
    yield;
    const stack = [{ match: start, opened: false }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top.opened) ordered.add(top.match);
      else if (!seen.has(top.match)) {
        seen.add(top.match);
        stack.push({ match: top.match, opened: true });
        for (const { sources } of top.match.new.columns) {
          for (const { from } of sources ?? []) {
            const match = ownerOf.get(from);
            if (match !== undefined && !seen.has(match)) stack.push({ match, opened: false });
          }
        }
      }
    }
  }
  return [...ordered];
}

function* inOrderOfPresent(changes: readonly Change[], present: readonly PresentRelation[]): Generator<void, Change[]> {
  const changed = new Set(changes.map(({ id }) => id));
  const order = new Map<string, number>();
  for (const { id, columns } of present) {
    yield;
    if (changed.has(id)) order.set(id, order.size);
    for (const column of columns) if (changed.has(column.id)) order.set(column.id, order.size);
  }
  return changes.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

function byObject(a: Uncompared, b: Uncompared): number {
  return compareCodePoints(a.object, b.object) || compareCodePoints(a.message, b.message);
}
