/** Expands `*` and `t.*` in a select list, with `except`, `replace` and `rename` if the dialect has them. */
import { read, toColumnOf } from "./expression.ts";
import { type Guess, guessAmong, type Unlisted, unlistedOf } from "./guesses.ts";
import { fieldOf, join, type Lineage, readAs, type Step } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import type { Column } from "./rowset.ts";
import { findStarSource, type Scope } from "./scope.ts";
import type { StarPattern } from "./star-patterns.ts";
import { type Expression, type Identifier, type Node, pathExpression } from "./syntax.ts";

/** One column of the select list. */
export interface Item extends Column {
  /** The expression that computes it; null if it comes from a star. */
  expression: Expression | null;
}

export interface SelectList {
  items: Item[];
  unlisted: Unlisted | null;
}

interface Starred {
  columns: readonly Column[];
  unlisted: Unlisted | null;
}

export function readOutput(expression: Expression, scope: Scope): Lineage {
  // The parser gives a column that is named like a keyword as a bare word, which is only read if it is listed.
  const isOpen = scope.unlisted.some(({ reason }) => reason !== null);
  const step = isOpen && "identifier" in expression ? toColumnOf(expression.identifier) : expression;
  return read(step, scope, { transformation: "IDENTITY", step });
}

/** The columns of a star, before `except`, `replace` and `rename`. */
function starColumns(star: Node<"star">, scope: Scope): Starred {
  if (star.table === null) return { columns: scope.columns, unlisted: unlistedOf(scope.unlisted) };
  const { name, quoted } = star.table;
  const toPath = (parts: readonly string[]): Name[] =>
    parts.map((part) => toName({ name: part, quoted }, scope.environment.dialect));
  // The parser gives the path of `db.schema.t.*` as one name.
  const source = findStarSource(scope, toPath([name])) ?? findStarSource(scope, toPath(name.split(".")));
  if (source !== null) return source.rowset;
  const value = pathExpression(name.split(".").map((part) => ({ name: part, quoted, trailing_comments: [] })));
  const fields = value === null ? null : fieldsOf(readOutput(value, scope), { step: value, text: name });
  return { columns: [], unlisted: fields };
}

/** The fields of a value, such as a struct. They are not listed. */
export function fieldsOf(lineage: Lineage, { step, text }: { step: Step; text: string }): Unlisted {
  const find = ({ folded }: Name): Guess => {
    const { whole, part } = fieldOf(lineage, [folded]);
    return { lineage: join(whole, readAs(part, { transformation: "TRANSFORMATION", step })), likelihood: "likely" };
  };
  return { reason: `the fields of ${text} are not known`, find };
}

/** Reads `(t.address).*`, which the parser gives as a field named `*`. Returns null for anything else. */
export function starredFields(expression: Expression, scope: Scope): SelectList | null {
  if (!("dot" in expression) || expression.dot.field.name !== "*" || expression.dot.field.quoted) return null;
  const value = expression.dot.this;
  const inner = "paren" in value ? value.paren.this : value;
  const text = "column" in inner ? inner.column.name.name : "a value";
  return { items: [], unlisted: fieldsOf(readOutput(inner, scope), { step: inner, text }) };
}

/** Applies `except`, `replace` or `rename` to a column. Returns null if the column is removed. */
type Change = (column: Column) => Item | null;

function changesOf({ except, replace, rename }: Node<"star">, scope: Scope): { name: Name; change: Change }[] {
  const { dialect } = scope.environment;
  const toNames = (identifier: Identifier): Name => toName(identifier, dialect);
  return [
    ...(except ?? []).map((dropped) => ({ name: toNames(dropped), change: () => null })),
    ...(replace ?? []).map(({ alias, this: expression }) => ({
      name: toNames(alias),
      change: ({ name }: Column): Item => ({ name, expression, lineage: readOutput(expression, scope) }),
    })),
    ...(rename ?? []).map(([from, to]) => ({
      name: toNames(from),
      change: ({ lineage }: Column): Item => ({ name: toNames(to), expression: null, lineage }),
    })),
  ];
}

/** Expands a star. Only the columns in `except`, `replace` and `rename` count as named. */
export function readStar(star: Node<"star">, scope: Scope, fits: StarPattern["fits"] = () => true): SelectList {
  const all = starColumns(star, scope);
  const columns = all.columns.filter(({ name }) => fits(name));
  const find = (name: Name): Guess | null => (fits(name) ? (all.unlisted?.find(name) ?? null) : null);
  const unlisted = all.unlisted === null ? null : { ...all.unlisted, find };
  const open = unlisted === null ? [] : [unlisted];
  const changed = new Map<Column, Item | null>();
  const further: Item[] = [];
  const gone = new Set<string>();
  for (const { name, change } of changesOf(star, scope)) {
    const found = guessAmong(columns, open, name);
    if (found === null) {
      scope.environment.findings.addMissedUse(`* has no column ${name.text}`);
      continue;
    }
    scope.environment.findings.addName(found.lineage, [], name.span);
    const listed = findNamed(columns, name);
    for (const column of listed) changed.set(column, change(column));
    if (listed.length > 0) continue;
    // The column is not listed, so its position is not known.
    gone.add(name.folded);
    further.push(...[change({ name, lineage: found.lineage })].filter((item) => item !== null));
  }
  const items = columns.flatMap((column): Item[] => {
    const item = changed.get(column);
    return item === undefined ? [{ ...column, expression: null }] : item === null ? [] : [item];
  });
  const findKept = (name: Name): Guess | null => (gone.has(name.folded) ? null : find(name));
  return {
    items: [...items, ...further],
    unlisted: unlisted === null || gone.size === 0 ? unlisted : { ...unlisted, find: findKept },
  };
}
