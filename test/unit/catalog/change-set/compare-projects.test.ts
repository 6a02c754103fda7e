import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Change, ChangeSet } from "../../../../src/catalog/change-set/change.ts";
import { comparingProjects } from "../../../../src/catalog/change-set/compare-projects.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { type ColumnWords, nextRelation, presentRelation } from "../../../support/change-sets.ts";

const compareProjects = (...projects: Parameters<typeof comparingProjects>) =>
  runAtOnce(comparingProjects(...projects));

/** A change as text, such as `column_renamed a.m.x -> y 0.9`. A certain change has no number. */
function tell({ kind, fqn, newName, oldType, newType, confidence }: Change): string {
  const type = kind === "column_retyped" ? ` ${oldType} -> ${newType}` : "";
  const name = newName === "" ? "" : ` -> ${newName}`;
  return `${kind} ${fqn}${name}${type}${confidence === 1 ? "" : ` ${confidence.toFixed(1)}`}`;
}

function tellAll({ changes }: ChangeSet): string[] {
  return changes.map(tell);
}

function compareColumnsOf(before: readonly ColumnWords[], after: readonly ColumnWords[]): string[] {
  return tellAll(
    compareProjects([presentRelation("a.m", { columns: before })], [nextRelation("a.m", { columns: after })]),
  );
}

function manyColumns(suffix: string): string[] {
  return Array.from({ length: 101 }, (_, i) => `column_${i}_${suffix}`);
}

/** A column that comes from `amount` of the table `raw` in the same schema. */
const reader = (column: string, schema: string) => [[column, "", [`a.${schema}.raw.amount`]]] as const;

describe("Comparing the columns of a model", () => {
  it("A dropped column is a change, and an added one is not", () => {
    expect(compareColumnsOf(["id", "amount"], ["id"])).toEqual(["column_dropped a.m.amount"]);
    expect(compareColumnsOf(["id"], ["id", "amount"])).toEqual([]);
  });

  it("Column names are compared without case", () => {
    expect(compareColumnsOf(["ID", "Amount"], ["id", "amount"])).toEqual([]);
  });

  it("Another type is a change, unless the types are synonyms or one is unknown", () => {
    expect(compareColumnsOf([["id", "integer"]], [["id", "bigint"]])).toEqual([
      "column_retyped a.m.id integer -> bigint",
    ]);
    expect(compareColumnsOf([["id", "integer"]], [["id", "INT4"]])).toEqual([]);
    expect(compareColumnsOf([["id", "integer"]], ["id"])).toEqual([]);
    expect(compareColumnsOf(["id"], [["id", "integer"]])).toEqual([]);
  });

  it("A rename is guessed from name, type, position and origin", () => {
    const before: ColumnWords[] = ["id", ["amount", "numeric", ["raw.amount"]]];
    expect(compareColumnsOf(before, ["id", ["amount_eur", "numeric", ["raw.amount"]]])).toEqual([
      "column_renamed a.m.amount -> amount_eur 0.9",
    ]);
    expect(compareColumnsOf(before, ["id", ["gross", "numeric", ["raw.amount"]]])).toEqual([
      "column_renamed a.m.amount -> gross 0.7",
    ]);
  });

  it("No rename is guessed if only position and type are equal", () => {
    const before: ColumnWords[] = [["amount", "numeric", ["raw.amount"]]];
    expect(compareColumnsOf(before, [["tax", "numeric", ["raw.tax"]]])).toEqual(["column_dropped a.m.amount"]);
    expect(compareColumnsOf([["amount", "numeric"]], [["zip", "numeric"]])).toEqual(["column_dropped a.m.amount"]);
  });

  it("Each column takes part in one rename, and the most certain renames are chosen first", () => {
    const before: ColumnWords[] = [
      ["price_net", "int", ["r.net"]],
      ["price", "int", ["r.price"]],
    ];
    const after: ColumnWords[] = [
      ["price_net_eur", "int", ["r.net"]],
      ["price_eur", "int", ["r.price"]],
    ];
    expect(compareColumnsOf(before, after)).toEqual([
      "column_renamed a.m.price_net -> price_net_eur 0.9",
      "column_renamed a.m.price -> price_eur 0.9",
    ]);
  });

  it("No rename is guessed if there are too many columns to compare", () => {
    const found = compareColumnsOf(manyColumns("a"), manyColumns("b"));
    expect(found).toHaveLength(101);
    expect(new Set(found.map((change) => change.split(" ")[0]))).toEqual(new Set(["column_dropped"]));
  });

  it("A rename is recognised if the column's inputs were renamed", () => {
    const present = [
      presentRelation("a.late", { columns: [["sum_x", "int", ["a.early.x"]]] }),
      presentRelation("a.early", { columns: [["x", "int", ["raw.x"]]] }),
    ];
    const next = [
      nextRelation("a.late", { columns: [["total", "int", ["a.early.x_eur"]]] }),
      nextRelation("a.early", { columns: [["x_eur", "int", ["raw.x"]]] }),
    ];
    expect(tellAll(compareProjects(present, next))).toEqual([
      "column_renamed a.late.sum_x -> total 0.7",
      "column_renamed a.early.x -> x_eur 0.9",
    ]);
  });

  it("A column of a model that could not be read is reported as not compared, never as dropped", () => {
    const next = nextRelation("a.m", { columns: ["id"], unread: "a bracket is missing" });
    const { changes, uncompared } = compareProjects([presentRelation("a.m", { columns: ["id", "amount"] })], [next]);
    expect(changes).toEqual([]);
    expect(uncompared).toEqual([
      {
        object: "a.m",
        message: "could not be read: a bracket is missing; whether it still has `amount` is not known",
        unread: "model",
      },
    ]);
  });

  it("All columns of a model that could not be read are named, also those that are still documented", () => {
    const next = nextRelation("a.m", { columns: ["id"], unread: "a bracket is missing", seen: false });
    const { uncompared } = compareProjects([presentRelation("a.m", { columns: ["id", "amount"] })], [next]);
    expect(uncompared.map(({ message }) => message)).toEqual([
      "could not be read: a bracket is missing; whether it still has `id`, `amount` is not known",
    ]);
  });

  it("A new model that could not be read is reported as not compared", () => {
    const [model, torn] = [nextRelation("a.m"), nextRelation("a.torn", { unread: "a bracket is missing" })];
    expect(compareProjects([presentRelation("a.m")], [model, torn]).uncompared).toEqual([
      { object: "a.torn", message: "is new, and could not be read: a bracket is missing", unread: "model" },
    ]);
  });

  it("A column that the SQL did not yield before is not reported as dropped", () => {
    const present = presentRelation("a.m", { columns: ["id", "ghost"] }, { notInOutput: true });
    expect(tellAll(compareProjects([present], [nextRelation("a.m", { columns: ["id"] })]))).toEqual([]);
  });

  it("A snapshot keeps its columns, and the columns that its query no longer yields are named", () => {
    const next = nextRelation("a.m", { columns: ["id"], keeps: true });
    const { changes, uncompared } = compareProjects([presentRelation("a.m", { columns: ["id", "amount"] })], [next]);
    expect(changes).toEqual([]);
    expect(uncompared.map(({ message }) => message)).toEqual([
      "its query no longer yields amount; the snapshot keeps what it has",
    ]);
  });

  it("A source is guessed to lose a column that it no longer documents, but not one that it never documented", () => {
    const next = nextRelation("a.s", { columns: ["id"], documentedOnly: true, seen: false, sql: null });
    const compare = (documentedType: string | null) =>
      tellAll(compareProjects([presentRelation("a.s", { columns: ["id", "amount"] }, { documentedType })], [next]));
    expect(compare("")).toEqual(["column_dropped a.s.amount 0.8"]);
    expect(compare(null)).toEqual([]);
  });

  it("A column known only from other SQL is dropped if its model's SQL lists all columns without it", () => {
    const present = presentRelation("a.m", { columns: ["id", "named"] }, { inferred: true, documentedType: null });
    const compare = (listedBySql: boolean) =>
      tellAll(compareProjects([present], [nextRelation("a.m", { columns: ["id"], listedBySql })]));
    expect(compare(true)).toEqual(["column_dropped a.m.named"]);
    expect(compare(false)).toEqual([]);
  });

  it("Documented types are compared only with documented types", () => {
    const present = presentRelation("a.m", { columns: [["x", "numeric"]] }, { documentedType: "text" });
    const next = nextRelation("a.m", { columns: [["x", "text"]], seen: false });
    expect(tellAll(compareProjects([present], [next]))).toEqual([]);
  });

  it("Missing digits of a documented type are no change", () => {
    const present = presentRelation("a.m", { columns: [["x", "numeric(12,2)"]] });
    const compare = (type: string) =>
      tellAll(compareProjects([present], [nextRelation("a.m", { columns: [["x", type]], seen: false })]));
    expect(compare("decimal")).toEqual([]);
    expect(compare("numeric(14,2)")).toEqual(["column_retyped a.m.x numeric(12,2) -> numeric(14,2) 0.8"]);
    expect(compare("text")).toEqual(["column_retyped a.m.x numeric(12,2) -> text 0.8"]);
  });

  it("The number of columns whose new types are not known is reported", () => {
    const present = presentRelation("a.m", { columns: [["x", "int"], ["y", "int"], "z"] });
    const next = { columns: ["x", "y", "z"] };
    const sql = "select x + 1 as x, y, z from other";
    const { uncompared } = compareProjects([present], [nextRelation("a.m", { ...next, sql })]);
    expect(uncompared).toEqual([
      { object: "", message: expect.stringMatching(/^the new types of 2 columns are not known/), unread: null },
    ]);
    const one = compareProjects([present], [nextRelation("a.m", { columns: ["x", ["y", "int"]], sql })]).uncompared;
    expect(one[0]?.message).toMatch(/^the new type of 1 column is not known/);
    // The same SQL says nothing new of the types.
    expect(compareProjects([present], [nextRelation("a.m", next)]).uncompared).toEqual([]);
  });
});

describe("Comparing tables and models", () => {
  it("A missing model is reported as dropped, unless it could not be read", () => {
    const present = [presentRelation("a.gone"), presentRelation("a.torn")];
    const { changes, uncompared } = compareProjects(present, [], new Set(["torn"]));
    expect(changes.map(tell)).toEqual(["asset_dropped a.gone"]);
    expect(uncompared).toEqual([
      { object: "a.torn", message: "could not be read in the new manifest", unread: "model" },
    ]);
  });

  it("A model with the same name in another schema is reported as moved, and its columns are matched", () => {
    const present = [presentRelation("a.m", { columns: ["x"] }), presentRelation("a.n")];
    const found = compareProjects(present, [nextRelation("b.m", { columns: ["x"] }), nextRelation("a.n")]);
    expect(tellAll(found)).toEqual(["asset_moved a.m -> b.m 0.9"]);
    expect(Object.fromEntries(found.follows)).toEqual({ "a.m": "b.m", "a.m.x": "b.m.x" });
  });

  it("A new name is guessed from the SQL and the columns", () => {
    const sql = "select id,\n  amount from payments";
    const columns = ["id", "amount"];
    const present = [presentRelation("a.orders", { sql, columns }), presentRelation("a.other", { columns: ["q"] })];
    const next = [
      nextRelation("a.orders_v2", { sql: "select id, amount  from payments", columns }),
      nextRelation("a.brand_new", { columns: ["z"] }),
    ];
    expect(tellAll(compareProjects(present, next))).toEqual([
      "asset_moved a.orders -> a.orders_v2 0.9",
      "asset_dropped a.other",
    ]);
  });

  it("A project that is built in other schemas is taken for another target, and is still compared", () => {
    const present = [presentRelation("prod.m", { columns: ["x"] }), presentRelation("prod.n")];
    const { changes, uncompared } = compareProjects(present, [nextRelation("ci.m"), nextRelation("ci.n")]);
    expect(changes.map(tell)).toEqual(["column_dropped prod.m.x"]);
    expect(uncompared).toEqual([
      { object: "", message: expect.stringMatching(/such as prod\.m as ci\.m/), unread: null },
    ]);
  });
});

/** The models of a project with fixed ids, one for each name. */
function modelsAt<T>(make: (fqn: string, words: { sourceId: string; columns: string[] }) => T, ...fqns: string[]): T[] {
  return fqns.map((fqn, i) => make(fqn, { sourceId: `model.shop.m${i}`, columns: ["x"] }));
}

function source(fqn: string) {
  return { type: "table" as const, built: false, sourceId: `source.${fqn.at(-1)}` };
}

describe("Comparing a build for another target", () => {
  const prod = ["a.stg.m0", "a.stg.m1", "a.marts.m2", "a.marts.m3"];
  const present = modelsAt(presentRelation, ...prod);

  it("A build with other schema or database names has no changes", () => {
    const ci = ["a.pr_stg.m0", "a.pr_stg.m1", "a.pr_marts.m2", "a.pr_marts.m3"];
    const found = compareProjects(present, modelsAt(nextRelation, ...ci));
    expect(found.changes).toEqual([]);
    expect(found.uncompared).toEqual([
      {
        object: "",
        message: expect.stringMatching(/another target \(a\.marts is a\.pr_marts, a\.stg is a\.pr_stg\)$/),
        unread: null,
      },
    ]);
    const elsewhere = prod.map((fqn) => fqn.replace(/^a/, "ci_db"));
    expect(compareProjects(present, modelsAt(nextRelation, ...elsewhere)).changes).toEqual([]);
  });

  it("A column that the new state does not list keeps its name, so what comes from it is recognised", () => {
    const seed = { type: "table", sql: null, sourceId: "seed.shop.raw" } as const;
    const undocumented = { documentedType: null };
    // The reader comes first.
    const olds = [
      presentRelation("a.stg.m0", { columns: reader("amount", "stg") }),
      presentRelation("a.stg.raw", { ...seed, columns: ["amount"] }, undocumented),
    ];
    const news = [
      nextRelation("a.pr.m0", { columns: reader("amt", "pr") }),
      nextRelation("a.pr.raw", { ...seed, documentedOnly: true }),
    ];
    const { changes, follows } = compareProjects(olds, news);
    expect(changes).toMatchObject([{ kind: "column_renamed", name: "amount", newName: "amt" }]);
    expect([...follows]).toContainEqual(["a.stg.raw.amount", "a.pr.raw.amount"]);
  });

  it("Schemas that do not map one to one are reported, and the models are matched by id", () => {
    const ci = ["a.pr.m0", "a.pr.m1", "a.pr.m2", "a.pr.m3"];
    const { changes, uncompared } = compareProjects(present, modelsAt(nextRelation, ...ci));
    expect(changes).toEqual([]);
    expect(uncompared.map(({ message }) => message)).toEqual([
      expect.stringMatching(/\(a\.marts is a\.pr, a\.stg is a\.pr\)\. These places are not one to one/),
    ]);
  });

  it("One model that moves among the schemas of another target is reported", () => {
    const ci = ["a.pr_stg.m0", "a.pr_stg.m1", "a.pr_marts.m2", "a.pr_stg.m3"];
    const threeMarts = [...present, presentRelation("a.marts.m4", { sourceId: "m4", columns: ["x"] })];
    const next = [...modelsAt(nextRelation, ...ci), nextRelation("a.pr_marts.m4", { sourceId: "m4", columns: ["x"] })];
    expect(tellAll(compareProjects(threeMarts, next))).toEqual(["asset_moved a.marts.m3 -> a.pr_stg.m3"]);
  });

  it("Models are reported as moved if the others have not moved", () => {
    const next = ["a.stg.m0", "a.stg.m1", "a.finance.m2", "a.finance.m3"];
    expect(tellAll(compareProjects(present, modelsAt(nextRelation, ...next)))).toEqual([
      "asset_moved a.marts.m2 -> a.finance.m2",
      "asset_moved a.marts.m3 -> a.finance.m3",
    ]);
  });

  it("A seed or snapshot in a fixed schema is not reported as moved", () => {
    const seed = { type: "table" as const, sourceId: "seed.shop.codes", columns: ["x"] };
    const next = modelsAt(nextRelation, "a.pr_stg.m0", "a.pr_stg.m1", "a.pr_marts.m2", "a.pr_marts.m3");
    const found = compareProjects(
      [...present, presentRelation("a.fixed.codes", seed)],
      [...next, nextRelation("a.fixed.codes", seed)],
    );
    expect(found.changes).toEqual([]);
  });

  it("A source is reported as moved unless its whole schema moved with the target", () => {
    const sources = ["raw.r.a", "raw.r.b", "raw.r.c"].map((fqn) => presentRelation(fqn, source(fqn)));
    const compare = (...fqns: string[]) => {
      const next = modelsAt(nextRelation, "a.pr_stg.m0", "a.pr_stg.m1", "a.pr_marts.m2", "a.pr_marts.m3");
      const read = fqns.map((fqn) => nextRelation(fqn, source(fqn)));
      return tellAll(compareProjects([...present, ...sources], [...next, ...read]));
    };
    expect(compare("raw.r.a", "raw.r.b", "raw.r.c")).toEqual([]);
    expect(compare("ci.r.a", "ci.r.b", "ci.r.c")).toEqual([]);
    expect(compare("raw.r.a", "raw.r.b", "ci.r.c")).toEqual(["asset_moved raw.r.c -> ci.r.c"]);
  });
});

describe("Matching tables and models", () => {
  it("Models are matched by id before name, so two models that swap names are both reported as moved", () => {
    const [a, b] = ["model.shop.a", "model.shop.b"];
    const present = [presentRelation("s.x", { sourceId: a }), presentRelation("t.y", { sourceId: b })];
    const next = [nextRelation("t.y", { sourceId: a }), nextRelation("s.x", { sourceId: b }), nextRelation("s.z")];
    const others = [presentRelation("s.z"), ...present];
    expect(tellAll(compareProjects(others, next))).toEqual(["asset_moved s.x -> t.y", "asset_moved t.y -> s.x"]);
  });

  it("Models are matched by name if their ids differ", () => {
    const present = [presentRelation("s.x", { sourceId: "model.old.x" })];
    expect(tellAll(compareProjects(present, [nextRelation("s.x", { sourceId: "model.new.x" })]))).toEqual([]);
  });

  it("The coverage counts the models that were found and those that were compared", () => {
    const present = modelsAt(presentRelation, "s.m0", "s.m1", "s.m2");
    const [first, second] = modelsAt(nextRelation, "s.m0", "s.m1");
    const next = [first, second].flatMap((each, i) => (each ? [{ ...each, unread: i === 0 ? null : "no SQL" }] : []));
    expect(compareProjects(present, next).coverage).toEqual({ models: 3, found: 2, compared: 1 });
  });

  it("A model that could not be read is never reported as dropped, even if only its id is known", () => {
    const present = [presentRelation("s.alias", { sourceId: "model.shop.x" }), presentRelation("s.n")];
    const { changes } = compareProjects(present, [nextRelation("s.n")], new Set(["model.shop.x", "x"]));
    expect(changes).toEqual([]);
  });
});

describe("Comparing any two projects", () => {
  const name = fc.stringMatching(/^[a-z]{1,3}(_[a-z]{1,3})?$/);
  const column = fc
    .tuple(name, fc.constantFrom("", "int", "numeric(10,2)", "text", "made_up"))
    .map(([called, type]): ColumnWords => [called, type]);
  const relation = fc.record({
    fqn: fc.tuple(name, name).map((parts) => parts.join(".")),
    columns: fc.uniqueArray(column, { selector: ([called]) => called, maxLength: 8 }),
  });
  const project = fc.uniqueArray(relation, { selector: ({ fqn }) => fqn, maxLength: 6 });

  it("A project compared with itself has no changes", () => {
    fc.assert(
      fc.property(project, fc.boolean(), fc.boolean(), (relations, seen, documentedOnly) => {
        const present = relations.map(({ fqn, columns }) => presentRelation(fqn, { columns }));
        const next = relations.map(({ fqn, columns }) => nextRelation(fqn, { columns, seen, documentedOnly }));
        expect(compareProjects(present, next)).toMatchObject({ changes: [], follows: new Map() });
      }),
    );
  });

  it("A project whose schemas are all renamed one to one has no changes", () => {
    fc.assert(
      fc.property(project, fc.constantFrom("pr_1_", "ci.", "z"), fc.boolean(), (relations, prefix, isSuffix) => {
        const rename = (fqn: string): string => {
          const [schema = "", called = ""] = fqn.split(".");
          return isSuffix ? `${schema}_${prefix.replace(".", "")}.${called}` : `${prefix}${schema}.${called}`;
        };
        const ids = relations.map((_, i) => ({ sourceId: `model.p.${i}` }));
        const present = relations.map(({ fqn, columns }, i) => presentRelation(fqn, { columns, ...ids[i] }));
        const next = relations.map(({ fqn, columns }, i) => nextRelation(rename(fqn), { columns, ...ids[i] }));
        const { changes, coverage, follows } = compareProjects(present, next);
        expect(changes).toEqual([]);
        expect(coverage.compared).toBe(relations.length);
        for (const { id, fqn } of present) expect(follows.get(id)).toBe(rename(fqn));
      }),
    );
  });

  it("Each asset is lost at most once, and an asset that still exists is never lost", () => {
    fc.assert(
      fc.property(project, project, (before, after) => {
        const present = before.map(({ fqn, columns }) => presentRelation(fqn, { columns }));
        const next = after.map(({ fqn, columns }) => nextRelation(fqn, { columns }));
        const { changes } = compareProjects(present, next);
        const lost = changes.filter(({ kind }) => kind !== "column_retyped").map(({ id }) => id);
        expect(new Set(lost).size).toBe(lost.length);
        const there = new Set([...next, ...next.flatMap(({ columns }) => columns)].map(({ id }) => id));
        expect(lost.filter((id) => there.has(id))).toEqual([]);
      }),
    );
  });
});
