/** Joins two sides of a FROM clause. */
import { read } from "./expression.ts";
import { guessAmong, type Unlisted, unlistedOf } from "./guesses.ts";
import { join as joinLineage, type Lineage, NOTHING, readAs, unknown } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import { type Column, without } from "./rowset.ts";
import { emptyScope, type Environment, type Scope, type Source } from "./scope.ts";
import { conjuncts, type Node } from "./syntax.ts";

export type Join = Node<"select">["joins"][number];

export interface Joined {
  sources: readonly Source[];
  /** The columns of `*`. */
  columns: readonly Column[];
  unlisted: readonly Unlisted[];
  /** What decides which rows there are. */
  rows: Lineage;
}

export const NO_SOURCES: Joined = { sources: [], columns: [], unlisted: [], rows: NOTHING };

export function joinedOf(source: Source): Joined {
  const { columns, unlisted, rows } = source.rowset;
  return { sources: [source], columns, unlisted: unlisted === null ? [] : [unlisted], rows };
}

export function sideBySide(left: Joined, right: Joined): Joined {
  return {
    sources: [...left.sources, ...right.sources],
    columns: [...left.columns, ...right.columns],
    unlisted: [...left.unlisted, ...right.unlisted],
    rows: joinLineage(left.rows, right.rows),
  };
}

export function scopeOf({ sources, columns, unlisted }: Joined, environment: Environment): Scope {
  return { ...emptyScope(environment), sources, columns, unlisted };
}

/** The lineage of a shared column name on one side. */
function shared(side: Joined, name: Name): Lineage {
  return guessAmong(side.columns, side.unlisted, name)?.lineage ?? unknown(`no ${name.text} to join by`);
}

/**
 * The single column that `using (id)` makes of two. In a left or right join, it is that of the side whose rows are all
 * kept.
 */
function merged(name: Name, kind: Join["kind"], left: Lineage, right: Lineage): Column {
  if (/Right/.test(kind)) return { name, lineage: right };
  if (!/Full|Outer/.test(kind)) return { name, lineage: left };
  const step = `COALESCE(${name.text}, ${name.text})`;
  return { name, lineage: readAs(joinLineage(left, right), { transformation: "TRANSFORMATION", step }) };
}

/** A join that keeps other rows than those that its condition joins, such as "left join"; null for any other. */
function wordOf(kind: Join["kind"]): string | null {
  if (!/Left|Right|Full|Outer|Semi|Anti/.test(kind)) return null;
  return `${kind.replaceAll(/\B[A-Z]/g, " $&").toLowerCase()} join`;
}

/** Joins by columns of the same name. They come first in `*`, and only once. */
function joinByNames(left: Joined, right: Joined, names: readonly Name[], kind: Join["kind"]): Joined {
  const both = sideBySide(left, right);
  const columns = names.map((name) => merged(name, kind, shared(left, name), shared(right, name)));
  const word = wordOf(kind);
  const conditions = names.flatMap((name) => {
    const step = word === null ? `USING (${name.text})` : `USING (${name.text}) (${word})`;
    return [left, right].map((side) => readAs(shared(side, name), { transformation: "JOIN", step }));
  });
  return {
    ...both,
    columns: [...columns, ...without(left.columns, names), ...without(right.columns, names)],
    rows: joinLineage(...conditions, both.rows),
  };
}

function naturalNames(left: Joined, right: Joined): Name[] {
  return left.columns.filter(({ name }) => findNamed(right.columns, name).length > 0).map(({ name }) => name);
}

/** Joins two sides. After a semi or anti join the right side's columns cannot be named. */
export function joinSides(left: Joined, right: Joined, clause: Join, environment: Environment): Joined {
  const { kind, on, using, match_condition } = clause;
  if (kind.startsWith("Natural")) {
    const joined = joinByNames(left, right, naturalNames(left, right), kind);
    const reason = unlistedOf(joined.unlisted)?.reason ?? null;
    return reason === null ? joined : { ...joined, rows: joinLineage(joined.rows, unknown(reason)) };
  }
  const names = using.map((identifier) => toName(identifier, environment.dialect));
  for (const name of names)
    for (const side of [left, right]) environment.findings.addName(shared(side, name), [], name.span);
  const both = names.length > 0 ? joinByNames(left, right, names, kind) : sideBySide(left, right);
  const scope = scopeOf(both, environment);
  const conditions = [on, match_condition].flatMap((condition) => (condition ? conjuncts(condition) : []));
  const word = wordOf(kind);
  const decided = conditions.map((condition) => {
    const step = word === null ? condition : { joinCondition: condition, kind: word };
    return read(condition, scope, { transformation: "JOIN", step });
  });
  const rows = joinLineage(...decided, both.rows);
  return /Semi|Anti/.test(kind) ? { ...left, rows } : { ...both, rows };
}
