/**
 * Makes the SQL of a project's models bind in DuckDB. It adds what the artifacts leave out and the SQL needs:
 * relations, columns, and the platform's own functions, which take and return any value.
 */
import { Dialect, transpile } from "@polyglot-sql/sdk";

import { adjustSource, adjustTranslated } from "./adjust.ts";
import { ANY, type Database } from "./duckdb.ts";
import { type Column, fold, type Project, type Relation } from "./project.ts";
import { conditionOf, relationsNamed, useEveryCte } from "./syntax-tree.ts";

export interface Prepared {
  relation: Relation;
  /** The relations that its SQL reads, except itself. */
  inputs: Relation[];
  /** SQL that binds, or null. */
  text: string | null;
  /** The reason why none binds; "" if one does. */
  error: string;
  /** Whether it binds only if the columns of its inputs have any type. */
  untyped: boolean;
  /** The columns that the SQL yields. */
  columns: Column[];
  tree: unknown;
}

export interface World {
  database: Database;
  project: Project;
  /** The columns of each relation, by its unique id, with DuckDB's types. */
  columns: Map<string, Column[]>;
  /** In the order in which they are built. */
  models: Prepared[];
  /** `relation column` for each column that the SQL needs and that more than one relation might have. */
  guessed: Set<string>;
}

/** Dialects that DuckDB's parser reads directly, so that nothing is translated. */
const READ_AS_IT_IS = new Set(["postgresql", "duckdb", "redshift"]);
const MAX_MENDS = 150;
const MAX_ARGUMENTS = 10;

const MISSING_COLUMN = [
  /Referenced column "([^"]+)" not found in FROM clause/,
  /does not have a column named "([^"]+)"/,
  /Column "([^"]+)" in (?:EXCLUDE|REPLACE|RENAME) list not found/,
  /Column "([^"]+)" does not exist on (?:left|right) side of join/,
];
const MISSING_RELATION = /Table with name "?([^"\s]+)"? does not exist/;
const MISSING_FUNCTION =
  /(?:Scalar Function with name "?([^"\s]+)"? (?:does not exist|is not in the catalog)|No function matches the given name and argument types '(\w+)\(|for the function call "(\w+)\()/;
const NO_SUCH_OPTION = /Option 'g' \(global replace\) is only valid for regexp_replace/;
const NOT_AGGREGATED = /must appear in the GROUP BY clause/;

const firstGroup = (error: string, ...patterns: RegExp[]): string | undefined =>
  patterns.map((pattern) => pattern.exec(error)?.slice(1).find(Boolean)).find(Boolean);

/** A macro that takes any values and returns NULL, and still needs each of its arguments to bind. */
function macro(name: string, aggregates: boolean): string {
  const bodies = Array.from({ length: MAX_ARGUMENTS }, (_, count) => {
    const names = Array.from({ length: count }, (_unused, at) => `a${at}`);
    const tests = names.map((each) => (aggregates ? `any_value(${each}) is null` : `${each} is null`));
    return `(${names.join(", ")}) as case when ${tests.join(" and ") || "true"} then null end`;
  });
  if (fold(name) === "date_trunc")
    bodies[2] = "(a0, a1) as case when a0 is null and a1 is null then null::timestamp end";
  return `create or replace temp macro "${name}"${bodies.join(", ")}`;
}

function toDialect(name: string): Dialect {
  const dialect = Object.values(Dialect).find((each) => each === name);
  if (dialect === undefined) throw new Error(`the SDK does not know the dialect ${name}`);
  return dialect;
}

/** The SQL to bind: the original if DuckDB reads the dialect, else the SDK's translation. */
function textsOf({ sql }: Relation, dialect: string): string[] {
  const trimmed = adjustSource(sql.trim().replace(/;\s*$/, ""));
  const made = dialect === "duckdb" ? null : transpile(trimmed, toDialect(dialect), Dialect.DuckDB);
  const translated = made?.success === true ? (made.sql ?? []) : [];
  return [...(READ_AS_IT_IS.has(dialect) ? [trimmed] : []), ...translated.slice(0, 1).map(adjustTranslated)];
}

/** The models, each after its dependencies. Models of a cycle come last. */
function inBuildOrder(relations: ReadonlyMap<string, Relation>): Relation[] {
  const order = new Map<string, Relation>();
  const visiting = new Set<string>();
  const visit = (relation: Relation): void => {
    if (visiting.has(relation.uniqueId)) return;
    visiting.add(relation.uniqueId);
    for (const id of relation.dependsOn) {
      const parent = relations.get(id);
      if (parent !== undefined) visit(parent);
    }
    order.set(relation.uniqueId, relation);
  };
  for (const relation of relations.values()) visit(relation);
  return [...order.values()];
}

export async function prepareProject(project: Project, database: Database): Promise<World> {
  const world: World = { database, project, columns: new Map(), models: [], guessed: new Set() };
  const types = new Map<string, string>([["", ANY]]);
  const aggregates = new Set<string>();

  /** The platform's type in DuckDB, or any type. */
  async function toDuckdb(type: string): Promise<string> {
    let known = types.get(type);
    if (known === undefined) {
      const made = transpile(`select cast(a as ${type}) as x`, toDialect(project.dialect), Dialect.DuckDB);
      const written = /CAST\(a AS (.*)\) AS x/i.exec(made.sql?.[0] ?? "")?.[1] ?? type;
      const bound = await database.bind(`select null::${written}`);
      // By DuckDB's own name for it.
      known = "columns" in bound ? (bound.columns[0]?.type ?? ANY) : ANY;
      types.set(type, known);
    }
    return known;
  }

  async function define(relation: Relation, columns: Column[]): Promise<void> {
    world.columns.set(relation.uniqueId, columns);
    if (!relation.ephemeral) await database.define(relation.parts, columns);
  }

  /** The relation that a model's SQL names in this way. */
  function find(named: readonly string[], from: Relation): Relation | undefined {
    const whole = [...from.parts.slice(0, Math.max(0, from.parts.length - named.length)), ...named];
    const wanted = fold(whole.join("."));
    const tail = fold(`.${named.join(".")}`);
    const all = [...project.relations.values()].filter(({ ephemeral }) => !ephemeral);
    return (
      all.find((each) => fold(each.parts.join(".")) === wanted) ??
      (named.length > 1 ? all.find((each) => fold(`.${each.parts.join(".")}`).endsWith(tail)) : undefined)
    );
  }

  /** A relation that the SQL names and the project does not have. It is taken to exist. */
  async function addRelation(name: string, tree: unknown, from: Relation): Promise<Relation | undefined> {
    const named = relationsNamed(tree).find((parts) => fold(parts.at(-1) ?? "") === fold(name.split(".").at(-1) ?? ""));
    if (named === undefined) return undefined;
    const parts = [...from.parts.slice(0, Math.max(0, from.parts.length - named.length)), ...named];
    const uniqueId = `named.${fold(parts.join("."))}`;
    if (project.relations.has(uniqueId)) return undefined;
    const fqn = parts.join(".");
    const relation = {
      fqn,
      uniqueId,
      parts,
      columns: [],
      complete: false,
      stated: false,
      ephemeral: false,
      sql: "",
      dependsOn: [],
    };
    project.relations.set(uniqueId, relation);
    await define(relation, []);
    return relation;
  }

  /**
   * Adds the column to the first input with which the SQL binds further. Inputs whose columns are not all known come
   * first.
   */
  async function addColumn(name: string, text: string, inputs: readonly Relation[]): Promise<boolean> {
    // A model that the catalog lists has only the columns that its own SQL yields.
    const possible = inputs.filter(({ complete, sql }) => !complete || sql === "");
    const open = possible.filter(({ complete, sql }) => !complete && sql === "");
    const rest = possible.filter((each) => !open.includes(each));
    const fitting: Relation[] = [];
    for (const relation of [...open, ...rest]) {
      if (fitting.length > 0 && rest.includes(relation)) break;
      const before = world.columns.get(relation.uniqueId) ?? [];
      if (before.some((column) => fold(column.name) === fold(name))) continue;
      await define(relation, [...before, { name, type: ANY }]);
      const bound = await database.bind(text);
      if ("columns" in bound || firstGroup(bound.error, ...MISSING_COLUMN) !== name) fitting.push(relation);
      await define(relation, before);
    }
    const [first] = fitting;
    if (first === undefined) return false;
    if (fitting.length > 1) world.guessed.add(fold(`${first.uniqueId} ${name}`));
    await define(first, [...(world.columns.get(first.uniqueId) ?? []), { name, type: ANY }]);
    return true;
  }

  async function bindMending(text: string, prepared: Prepared): Promise<string> {
    for (let mends = 0; mends < MAX_MENDS; mends++) {
      const bound = await database.bind(text);
      if ("columns" in bound) {
        prepared.columns = bound.columns;
        return "";
      }
      const { error } = bound;
      const relation = MISSING_RELATION.exec(error)?.[1];
      const column = firstGroup(error, ...MISSING_COLUMN);
      const called = NO_SUCH_OPTION.test(error) ? "regexp_matches" : firstGroup(error, MISSING_FUNCTION);
      if (relation !== undefined) {
        const added = await addRelation(relation, prepared.tree, prepared.relation);
        if (added === undefined) return error;
        prepared.inputs.push(added);
      } else if (column !== undefined) {
        if (!(await addColumn(column, text, prepared.inputs))) return error;
      } else if (called !== undefined && !aggregates.has(called)) {
        aggregates.add(called);
        if ((await database.run(macro(called, false))) !== null) return error;
      } else if (NOT_AGGREGATED.test(error) && (await aggregateInstead(text, error))) continue;
      else return error;
    }
    return "there is too much to mend";
  }

  /**
   * Finds the function that is an aggregate, although it was taken to be scalar: the one with which the SQL binds
   * further.
   */
  async function aggregateInstead(text: string, before: string): Promise<boolean> {
    for (const name of aggregates) {
      await database.run(macro(name, true));
      const bound = await database.bind(text);
      if ("columns" in bound || !bound.error.includes("GROUP BY")) return true;
      if (NOT_AGGREGATED.test(bound.error) && bound.error !== before) return true;
      await database.run(macro(name, false));
    }
    return false;
  }

  /** The query, with a use of each CTE that nothing reads. Unchanged if there are none, or if they do not bind. */
  async function bindingEveryCte(text: string): Promise<string> {
    const tree = await database.parse(text);
    const exists = async (name: string) =>
      conditionOf(await database.parse(`select 1 where exists (select 1 from "${name.replaceAll('"', '""')}")`));
    if (tree === null || !(await useEveryCte(tree, exists))) return text;
    const written = await database.write(tree);
    return "columns" in (await database.bind(written)) ? written : text;
  }

  /**
   * A model that reads itself and whose columns are not listed has, for now, the columns of everything that it reads.
   */
  async function assumeOwn(relation: Relation, inputs: readonly (Relation | undefined)[]): Promise<void> {
    const all = inputs.flatMap((input) => (input === undefined ? [] : columnsOf(world, input)));
    const own = [...new Map(all.map((column) => [fold(column.name), column])).values()];
    await database.define(relation.parts, own);
  }

  async function prepare(relation: Relation): Promise<Prepared> {
    const prepared: Prepared = { relation, inputs: [], text: null, error: "", untyped: false, columns: [], tree: null };
    await database.use(relation.parts.slice(0, -1));
    const before = new Map(world.columns);
    for (const text of textsOf(relation, project.dialect)) {
      const tree = await database.parse(text);
      const inputs = relationsNamed(tree).map((parts) => find(parts, relation));
      if (inputs.includes(relation) && columnsOf(world, relation).length === 0) await assumeOwn(relation, inputs);
      prepared.tree = tree;
      prepared.inputs = [...new Set(inputs.filter((each) => each !== undefined && each !== relation))] as Relation[];
      for (const untyped of [false, true]) {
        if (untyped) for (const input of prepared.inputs) await database.define(input.parts, anyOf(world, input));
        const error = await bindMending(text, prepared);
        if (untyped) for (const input of prepared.inputs) await database.define(input.parts, columnsOf(world, input));
        if (error === "") return { ...prepared, text: await bindingEveryCte(text), error, untyped };
        prepared.error ||= error;
      }
    }
    // Undoes what did not help.
    for (const [id, columns] of before) {
      const each = project.relations.get(id);
      if (each !== undefined && world.columns.get(id) !== columns) await define(each, columns);
    }
    if (prepared.tree === null) {
      prepared.inputs = relation.dependsOn.flatMap((id) => project.relations.get(id) ?? []);
    }
    return prepared;
  }

  for (const relation of project.relations.values()) {
    const columns = relation.columns.map(async ({ name, type }) => ({ name, type: await toDuckdb(type) }));
    await define(relation, await Promise.all(columns));
  }
  for (const relation of inBuildOrder(project.relations)) {
    if (relation.sql === "") continue;
    const prepared = await prepare(relation);
    world.models.push(prepared);
    const listed = world.columns.get(relation.uniqueId) ?? [];
    const known = new Set(listed.map(({ name }) => fold(name)));
    const more = prepared.columns.filter(({ name }) => !known.has(fold(name)));
    // At the end, a value of any type counts as an integer.
    const typed = more.map(({ name, type }) => ({ name, type: type === "INTEGER" ? ANY : type }));
    if (more.length > 0) await define(relation, [...listed, ...typed]);
  }
  return world;
}

/** A relation's columns, with DuckDB's types. */
export function columnsOf({ columns }: Pick<World, "columns">, { uniqueId }: Relation): Column[] {
  return columns.get(uniqueId) ?? [];
}

/** A relation's columns, each of any type. */
export function anyOf(world: Pick<World, "columns">, relation: Relation): Column[] {
  return columnsOf(world, relation).map(({ name }) => ({ name, type: ANY }));
}
