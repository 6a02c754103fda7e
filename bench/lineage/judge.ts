/**
 * Decides, without the product, what fails when a column is dropped. It binds each model's SQL over its inputs as they
 * are after the drop. The SQL fails if a name in it is gone, or if the two sides of a set operation no longer have as
 * many columns. A model that still binds loses the columns that its SQL no longer yields (`select *`), and models
 * downstream are bound without these. A model that fails keeps its other columns: it loses only the unchanged copies of
 * what it lost, so that everything that names a copy fails as well. An output is a copy if it has a data type that only
 * the lost column has, and if the syntax tree computes nothing with that name. If the two disagree, everything that
 * needs the output is undecided.
 */
import { anyOf, columnsOf, type Prepared, type World } from "./prepare.ts";
import { type Column, fold, type Relation } from "./project.ts";
import { isNeverComputed } from "./syntax-tree.ts";

export interface Verdict {
  model: Relation;
  /** `undecided` if its SQL does not bind with the column either, or if that is so for a model upstream. */
  outcome: "fails" | "passes" | "undecided";
  /** The reason of the failure, from DuckDB. */
  error: string;
  /** The lost columns of its inputs, folded, with the relation. */
  inputs: string[];
  /** The columns that it no longer yields, folded. */
  lost: string[];
}

/** Folded names. */
interface Loss {
  sure: ReadonlySet<string>;
  /** Columns that are lost as far as is known. */
  maybe: ReadonlySet<string>;
}

interface Outcome extends Loss {
  outcome: Verdict["outcome"];
  error: string;
}

/**
 * Data types that keep to themselves: a value that is computed from one has another type. There is one for each family
 * of types.
 */
const MARKS: readonly [family: RegExp, mark: string][] = [
  [/^(VARCHAR|TEXT|UUID)/, "ENUM('mark')"],
  [/^(DATE|TIME)/, "TIMESTAMP_MS"],
  [/INT|^(DECIMAL|NUMERIC|DOUBLE|FLOAT|REAL)/, "DECIMAL(37,5)"],
  [/^BOOL/, "UTINYINT"],
  [/./, "JSON"],
];
/**
 * The ways to mark columns: each with the type that its own type asks for, or all alike. The first way in which the SQL
 * binds is taken.
 */
const WAYS: readonly ((type: string) => string)[] = [
  (type) => MARKS.find(([family]) => family.test(type.toUpperCase()))?.[1] ?? "JSON",
  ...MARKS.map(
    ([, mark]) =>
      () =>
        mark,
  ),
];
const ALL_MARKS = new Set(MARKS.map(([, mark]) => mark));

const none: ReadonlySet<string> = new Set();
const namesOf = (columns: readonly Column[]): string[] => columns.map(({ name }) => fold(name));
const words = (sql: string): Set<string> => new Set(fold(sql).match(/[\p{L}\p{N}_$]+/gu));

/** The outputs of a model that are gone. */
function lostBy(model: Prepared, after: readonly Column[]): Set<string> {
  const left = new Set(namesOf(after));
  return new Set(namesOf(model.columns).filter((name) => !left.has(name)));
}

export function createJudge(world: World) {
  const { database } = world;
  /** The present definition of each relation. */
  const defined = new Map<string, string>();
  const memory = new Map<string, Promise<Outcome>>();
  const tokens = new Map(world.models.map(({ relation }) => [relation.uniqueId, words(relation.sql)]));
  const quiet = new Map<string, ReadonlySet<string>>();

  /** Defines a relation as needed, unless it is defined so already. */
  async function ensure(relation: Relation, untyped: boolean, gone: ReadonlySet<string>): Promise<void> {
    const key = JSON.stringify([untyped, [...gone].toSorted()]);
    if ((defined.get(relation.uniqueId) ?? JSON.stringify([false, []])) === key) return;
    const columns = untyped ? anyOf(world, relation) : columnsOf(world, relation);
    await database.define(
      relation.parts,
      columns.filter(({ name }) => !gone.has(fold(name))),
    );
    defined.set(relation.uniqueId, key);
  }

  /** Binds a model without these columns of its inputs. */
  async function bindWithout(model: Prepared, gone: ReadonlyMap<string, ReadonlySet<string>>) {
    await database.use(model.relation.parts.slice(0, -1));
    await ensure(model.relation, false, none);
    for (const input of model.inputs) await ensure(input, model.untyped, gone.get(input.uniqueId) ?? none);
    return database.bind(model.text ?? "");
  }

  /** The columns of an input that a model neither names nor passes on, so that their loss changes nothing. */
  async function unusedOf(model: Prepared, input: Relation): Promise<ReadonlySet<string>> {
    const key = `${model.relation.uniqueId} ${input.uniqueId}`;
    let known = quiet.get(key);
    if (known === undefined) {
      const used = tokens.get(model.relation.uniqueId) ?? none;
      const unnamed = new Set(namesOf(columnsOf(world, input)).filter((name) => !used.has(name)));
      const bound = await bindWithout(model, new Map([[input.uniqueId, unnamed]]));
      const same = "columns" in bound && namesOf(bound.columns).join() === namesOf(model.columns).join();
      known = same ? unnamed : none;
      quiet.set(key, known);
    }
    return known;
  }

  /** The outputs of a failing model that are copies of what its inputs lost. */
  async function copies(model: Prepared, losses: ReadonlyMap<string, ReadonlySet<string>>): Promise<Loss> {
    const sources = [...losses.values()].flatMap((each) => Array.from(each));
    const others = model.inputs.flatMap((input) =>
      columnsOf(world, input).filter(({ name }) => losses.get(input.uniqueId)?.has(fold(name)) !== true),
    );
    await database.use(model.relation.parts.slice(0, -1));
    for (const way of WAYS) {
      for (const input of model.inputs) {
        const marked = losses.get(input.uniqueId) ?? none;
        const columns = columnsOf(world, input).map(({ name, type }) => ({
          name,
          type: marked.has(fold(name)) ? way(type) : type,
        }));
        await database.define(input.parts, columns);
        defined.set(input.uniqueId, "marked");
      }
      const bound = await database.bind(model.text ?? "");
      if ("error" in bound) continue;
      const own = ALL_MARKS.difference(new Set(others.map(({ type }) => type)));
      const marked = bound.columns.filter(({ type }) => own.has(type)).map(({ name }) => fold(name));
      const sure = marked.filter((name) => isNeverComputed(model.tree, [name, ...sources]));
      return { sure: new Set(sure), maybe: new Set(marked.filter((name) => !sure.includes(name))) };
    }
    return { sure: none, maybe: new Set(namesOf(columnsOf(world, model.relation))) };
  }

  async function evaluate(model: Prepared, losses: ReadonlyMap<string, Loss>): Promise<Outcome> {
    const every = new Set(namesOf(columnsOf(world, model.relation)));
    if (model.text === null) {
      const used = tokens.get(model.relation.uniqueId) ?? none;
      const names = [...losses.values()].flatMap(({ sure, maybe }) => Array.from(sure.union(maybe)));
      const named = names.some((name) => used.has(name)) || /\*/.test(model.relation.sql);
      return { outcome: named ? "undecided" : "passes", error: model.error, sure: none, maybe: named ? every : none };
    }
    const sure = new Map([...losses].map(([id, loss]) => [id, loss.sure]));
    const bound = await bindWithout(model, sure);
    if ("error" in bound) return { outcome: "fails", error: bound.error, ...(await copies(model, sure)) };
    const lost = lostBy(model, bound.columns);
    const all = new Map([...losses].map(([id, loss]) => [id, new Set([...loss.sure, ...loss.maybe])]));
    if ([...losses.values()].every(({ maybe }) => maybe.size === 0)) {
      return { outcome: "passes", error: "", sure: lost, maybe: none };
    }
    const worst = await bindWithout(model, all);
    if ("error" in worst) return { outcome: "undecided", error: worst.error, sure: lost, maybe: every };
    return { outcome: "passes", error: "", sure: lost, maybe: lostBy(model, worst.columns).difference(lost) };
  }

  async function outcomeOf(model: Prepared, losses: ReadonlyMap<string, Loss>): Promise<Outcome> {
    const telling = new Map<string, Loss>();
    for (const input of model.inputs) {
      const loss = losses.get(input.uniqueId);
      if (loss === undefined) continue;
      const unused = model.text === null ? none : await unusedOf(model, input);
      const [sure, maybe] = [loss.sure.difference(unused), loss.maybe.difference(unused)];
      if (sure.size + maybe.size > 0) telling.set(input.uniqueId, { sure, maybe });
    }
    if (telling.size === 0) return { outcome: "passes", error: "", sure: none, maybe: none };
    const parts = [...telling].map(([id, { sure, maybe }]) => [id, [...sure].toSorted(), [...maybe].toSorted()]);
    const key = JSON.stringify([model.relation.uniqueId, parts]);
    let known = memory.get(key);
    if (known === undefined) memory.set(key, (known = evaluate(model, telling)));
    return known;
  }

  /**
   * Drops a column.
   * @param among the models to judge, and those upstream of them; no others are bound
   * @returns a verdict on each model that reads the relation, directly or through others that lose something
   */
  async function drop(relation: Relation, column: string, among: ReadonlySet<Relation>): Promise<Verdict[]> {
    const losses = new Map<string, Loss>([[relation.uniqueId, { sure: new Set([fold(column)]), maybe: none }]]);
    const verdicts: Verdict[] = [];
    for (const model of world.models) {
      const lossy = model.inputs.filter(({ uniqueId }) => losses.has(uniqueId));
      if (lossy.length === 0 || model.relation === relation || !among.has(model.relation)) continue;
      const { outcome, error, sure, maybe } = await outcomeOf(model, losses);
      const inputs = lossy.flatMap(({ uniqueId }) =>
        [...(losses.get(uniqueId)?.sure ?? [])].map((name) => `${uniqueId}.${name}`),
      );
      verdicts.push({ model: model.relation, outcome, error, inputs, lost: [...sure] });
      if (sure.size + maybe.size === 0) continue;
      losses.set(model.relation.uniqueId, { sure, maybe });
    }
    return verdicts;
  }

  return { drop };
}

export type Judge = ReturnType<typeof createJudge>;
