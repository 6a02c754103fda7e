/** Finds what a query refers to by number, so that all of it can be loaded before the query is read. */
import { isRecord } from "../shapes.ts";
import { argumentsOf, type Clause, isClause, type NativeQuery, type Stage, toRef } from "./query.ts";

export interface References {
  tables: Set<number>;
  fields: Set<number>;
  segments: Set<number>;
  cards: Set<number>;
  natives: NativeQuery[];
}

/** Cards that a query names as a metric are among `cards`. Those that SQL names are not. */
export function findReferences(stages: readonly Stage[]): References {
  const found: References = {
    tables: new Set(),
    fields: new Set(),
    segments: new Set(),
    cards: new Set(),
    natives: [],
  };
  addStages(stages, found);
  return found;
}

/** Adds those of clauses, such as the definition of a segment. */
export function addClauses(value: unknown, found: References): void {
  if (Array.isArray(value)) {
    if (isClause(value)) addClause(value, found);
    for (const each of value) addClauses(each, found);
  } else if (isRecord(value)) {
    for (const each of Object.values(value)) addClauses(each, found);
  }
}

function addClause(clause: Clause, found: References): void {
  const ref = toRef(clause);
  if (ref !== null) {
    const { "source-field": foreignKey } = ref.options;
    for (const id of [ref.id, foreignKey]) if (typeof id === "number") found.fields.add(id);
    return;
  }
  const [id] = argumentsOf(clause);
  if (typeof id !== "number") return;
  if (clause[0] === "segment") found.segments.add(id);
  else if (clause[0] === "metric") found.cards.add(id);
}

function addStages(stages: readonly Stage[], found: References): void {
  for (const { source, joins, expressions, filters, breakouts, aggregations, fields, orders } of stages) {
    if (source !== null && "table" in source) found.tables.add(source.table);
    else if (source !== null && "card" in source) found.cards.add(source.card);
    else if (source !== null) {
      found.natives.push(source.native);
      for (const { field } of source.native.tags.values()) if (field !== null) found.fields.add(field);
    }
    addClauses([[...expressions.values()], filters, breakouts, aggregations, fields, orders], found);
    for (const join of joins) {
      addClauses([join.conditions, join.fields], found);
      addStages(join.stages, found);
    }
  }
}
