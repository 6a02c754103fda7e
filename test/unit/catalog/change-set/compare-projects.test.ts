import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Change, ChangeSet } from "../../../../src/catalog/change-set/change.ts";
import { compareProjects } from "../../../../src/catalog/change-set/compare-projects.ts";
import { type ColumnWords, nextRelation, presentRelation } from "../../../support/change-sets.ts";

/** Such as `column_renamed a.m.x -> y 0.9`; what is sure is told without a number. */
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

describe("comparing the columns of a model", () => {
  it("finds what is dropped, and takes what is added for no change", () => {
    expect(compareColumnsOf(["id", "amount"], ["id"])).toEqual(["column_dropped a.m.amount"]);
    expect(compareColumnsOf(["id"], ["id", "amount"])).toEqual([]);
  });

  it("takes names without their case", () => {
    expect(compareColumnsOf(["ID", "Amount"], ["id", "amount"])).toEqual([]);
  });

  it("finds another type, and none where the type is only called otherwise or not known", () => {
    expect(compareColumnsOf([["id", "integer"]], [["id", "bigint"]])).toEqual([
      "column_retyped a.m.id integer -> bigint",
    ]);
    expect(compareColumnsOf([["id", "integer"]], [["id", "INT4"]])).toEqual([]);
    expect(compareColumnsOf([["id", "integer"]], ["id"])).toEqual([]);
    expect(compareColumnsOf(["id"], [["id", "integer"]])).toEqual([]);
  });

  it("guesses a rename by name, type, place and origin", () => {
    const before: ColumnWords[] = ["id", ["amount", "numeric", ["raw.amount"]]];
    expect(compareColumnsOf(before, ["id", ["amount_eur", "numeric", ["raw.amount"]]])).toEqual([
      "column_renamed a.m.amount -> amount_eur 0.9",
    ]);
    expect(compareColumnsOf(before, ["id", ["gross", "numeric", ["raw.amount"]]])).toEqual([
      "column_renamed a.m.amount -> gross 0.7",
    ]);
  });

  it("guesses no rename where only place and type are the same", () => {
    const before: ColumnWords[] = [["amount", "numeric", ["raw.amount"]]];
    expect(compareColumnsOf(before, [["tax", "numeric", ["raw.tax"]]])).toEqual(["column_dropped a.m.amount"]);
    expect(compareColumnsOf([["amount", "numeric"]], [["zip", "numeric"]])).toEqual(["column_dropped a.m.amount"]);
  });

  it("takes each column for one rename, the surest first", () => {
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

  it("guesses nothing of more columns than can be weighed against each other", () => {
    const found = compareColumnsOf(manyColumns("a"), manyColumns("b"));
    expect(found).toHaveLength(101);
    expect(new Set(found.map((change) => change.split(" ")[0]))).toEqual(new Set(["column_dropped"]));
  });

  it("sees a rename through the renamed columns that it is made from", () => {
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

  it("never takes for dropped what could not be read, and says so", () => {
    const next = nextRelation("a.m", { columns: ["id"], unread: "a bracket is missing" });
    const { changes, uncompared } = compareProjects([presentRelation("a.m", { columns: ["id", "amount"] })], [next]);
    expect(changes).toEqual([]);
    expect(uncompared).toEqual([
      { object: "a.m", message: "could not be read: a bracket is missing; whether it still has amount is not known" },
    ]);
  });

  it("does not miss what the SQL did not yield before either", () => {
    const present = presentRelation("a.m", { columns: ["id", "ghost"] }, { unyielded: true });
    expect(tellAll(compareProjects([present], [nextRelation("a.m", { columns: ["id"] })]))).toEqual([]);
  });

  it("leaves a snapshot its columns, and says which are no longer filled", () => {
    const next = nextRelation("a.m", { columns: ["id"], keeps: true });
    const { changes, uncompared } = compareProjects([presentRelation("a.m", { columns: ["id", "amount"] })], [next]);
    expect(changes).toEqual([]);
    expect(uncompared.map(({ message }) => message)).toEqual([
      "its query no longer yields amount; the snapshot keeps what it has",
    ]);
  });

  it("guesses that a source lost what it no longer documents, and not what it never did", () => {
    const next = nextRelation("a.s", { columns: ["id"], documentedOnly: true, typed: false, sql: null });
    const compare = (described: boolean) =>
      tellAll(compareProjects([presentRelation("a.s", { columns: ["id", "amount"] }, { described })], [next]));
    expect(compare(true)).toEqual(["column_dropped a.s.amount 0.8"]);
    expect(compare(false)).toEqual([]);
  });

  it("takes no missing digits of a documented type for a change", () => {
    const present = presentRelation("a.m", { columns: [["x", "numeric(12,2)"]] });
    const compare = (type: string) =>
      tellAll(compareProjects([present], [nextRelation("a.m", { columns: [["x", type]], typed: false })]));
    expect(compare("decimal")).toEqual([]);
    expect(compare("numeric(14,2)")).toEqual(["column_retyped a.m.x numeric(12,2) -> numeric(14,2) 0.8"]);
    expect(compare("text")).toEqual(["column_retyped a.m.x numeric(12,2) -> text 0.8"]);
  });

  it("says of how many columns the new types are not known", () => {
    const present = presentRelation("a.m", { columns: [["x", "int"], ["y", "int"], "z"] });
    const { uncompared } = compareProjects([present], [nextRelation("a.m", { columns: ["x", "y", "z"] })]);
    expect(uncompared).toEqual([
      { object: "", message: expect.stringMatching(/^the new types of 2 columns are not known/) },
    ]);
  });
});

describe("comparing tables and models", () => {
  it("finds what is dropped, and not what could only not be read", () => {
    const present = [presentRelation("a.gone"), presentRelation("a.torn")];
    const { changes, uncompared } = compareProjects(present, [], new Set(["torn"]));
    expect(changes.map(tell)).toEqual(["asset_dropped a.gone"]);
    expect(uncompared).toEqual([{ object: "a.torn", message: "could not be read in the new manifest" }]);
  });

  it("takes what has the same name in another place for moved, and its columns for the same", () => {
    const present = [presentRelation("a.m", { columns: ["x"] }), presentRelation("a.n")];
    const found = compareProjects(present, [nextRelation("b.m", { columns: ["x"] }), nextRelation("a.n")]);
    expect(tellAll(found)).toEqual(["asset_moved a.m -> b.m 0.9"]);
    expect(Object.fromEntries(found.follows)).toEqual({ "a.m": "b.m", "a.m.x": "b.m.x" });
  });

  it("guesses a new name by the SQL and the columns", () => {
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

  it("takes a project that is all built elsewhere for another target, and still compares it", () => {
    const present = [presentRelation("prod.m", { columns: ["x"] }), presentRelation("prod.n")];
    const { changes, uncompared } = compareProjects(present, [nextRelation("ci.m"), nextRelation("ci.n")]);
    expect(changes.map(tell)).toEqual(["column_dropped prod.m.x"]);
    expect(uncompared).toEqual([{ object: "", message: expect.stringMatching(/such as prod\.m as ci\.m/) }]);
  });
});

describe("comparing, whatever the project", () => {
  const name = fc.stringMatching(/^[a-z]{1,3}(_[a-z]{1,3})?$/);
  const column = fc
    .tuple(name, fc.constantFrom("", "int", "numeric(10,2)", "text", "made_up"))
    .map(([called, type]): ColumnWords => [called, type]);
  const relation = fc.record({
    fqn: fc.tuple(name, name).map((parts) => parts.join(".")),
    columns: fc.uniqueArray(column, { selector: ([called]) => called, maxLength: 8 }),
  });
  const project = fc.uniqueArray(relation, { selector: ({ fqn }) => fqn, maxLength: 6 });

  it("finds no change against itself", () => {
    fc.assert(
      fc.property(project, fc.boolean(), fc.boolean(), (relations, typed, documentedOnly) => {
        const present = relations.map(({ fqn, columns }) => presentRelation(fqn, { columns }));
        const next = relations.map(({ fqn, columns }) => nextRelation(fqn, { columns, typed, documentedOnly }));
        expect(compareProjects(present, next)).toMatchObject({ changes: [], follows: new Map() });
      }),
    );
  });

  it("tells of each thing at most one loss, and of none that is still there", () => {
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
