/** Assets that fail because their own SQL names a column that goes away. */
import { describe, expect, it } from "vitest";

import { draw, type DrawnLineage } from "../../../support/drawn-lineage.ts";

/** Each affected asset as `name risk: path`, with the evidence of the last hop. */
async function judge({ assess, nameOf }: DrawnLineage, root: string, ...more: Tail<DrawnLineage["assess"]>) {
  const { affected } = await assess(root, ...more);
  return affected.map(({ id, risk, path, evidence }) => {
    const { kind = "", transformation = "", expression = "" } = evidence.at(-1) ?? {};
    return `${nameOf(id)} ${risk}: ${path.map(nameOf).join(" ")}; ${kind} ${transformation} ${expression}`.trimEnd();
  });
}
type Tail<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never;

/** `stg` names `raw.token` and selects only `raw.id`; `fct` joins on its id. */
const NAMED = `
  table raw(id, token)
  model stg(id known) known
  model fct(total known) known
  raw > stg
  stg > fct
  raw.id > stg.id IDENTITY id
  stg.id > fct.total JOIN o.id = s.id
  raw.token ~ stg
  raw.id ~ stg
  stg.id ~ fct
`;

describe("Assets that name a dropped column", () => {
  it("An asset that names a dropped column fails; its columns and readers stay unaffected if no value or row depends on the column", async () => {
    const lineage = await draw(NAMED);
    for (const change of ["column_drop", "column_rename"] as const) {
      expect(await judge(lineage, "raw.token", change)).toEqual(["stg high: raw.token stg; INDIRECT REFERENCE token"]);
    }
    expect(await lineage.why("stg", "raw.token", "column_drop")).toBe(
      "Model `stg` names `raw.token` in its SQL (REFERENCE); it fails without it.",
    );
  });

  it("An asset that names a dropped column fails with the known use as evidence, and its columns keep their risk", async () => {
    const lineage = await draw(NAMED);
    expect(await judge(lineage, "stg.id", "column_drop")).toEqual([
      "fct high: stg.id fct; INDIRECT JOIN o.id = s.id",
      "fct.total medium: stg.id fct.total; INDIRECT JOIN o.id = s.id",
    ]);
    expect(await lineage.why("fct", "stg.id", "column_drop")).toBe(
      "Model `fct` has `fct.total`, which is joined on `stg.id` (JOIN); its SQL names `stg.id`: it fails without it.",
    );
  });

  it("An asset fails if it names an unchanged copy of the column, under any name and at any distance", async () => {
    const lineage = await draw(`
      table raw(id)
      model stg(id known) known
      model base(key known) known
      model fct(n known) known
      raw > stg
      stg > base
      base > fct
      raw.id > stg.id IDENTITY id
      stg.id > base.key IDENTITY id
      base.key ~ fct
    `);
    expect(await judge(lineage, "raw.id", "column_drop")).toEqual([
      "stg high: raw.id stg; DIRECT IDENTITY id",
      "stg.id high: raw.id stg.id; DIRECT IDENTITY id",
      "base high: raw.id stg.id base; DIRECT IDENTITY id",
      "base.key high: raw.id stg.id base.key; DIRECT IDENTITY id",
      "fct high: raw.id stg.id base.key fct; INDIRECT REFERENCE key",
    ]);
    expect(await lineage.why("fct", "raw.id", "column_drop")).toBe(
      "Model `fct` names `base.key` in its SQL (REFERENCE), " +
        "3 hops: `raw.id` → `stg.id` → `base.key` → `fct`; it fails without it.",
    );
  });

  it("An edge between columns without evidence counts as a copy", async () => {
    const lineage = await draw(`
      table raw(id)
      table copy(id)
      model fct(n known) known
      raw.id > copy.id
      copy.id ~ fct
    `);
    expect(await judge(lineage, "raw.id", "column_drop")).toContain(
      "fct high: raw.id copy.id fct; INDIRECT REFERENCE id",
    );
  });

  it("An asset does not fail if it only names a column that is computed from the dropped one", async () => {
    const lineage = await draw(`
      table raw(amount)
      model stg(half known) known
      model fct(n known, total known) known
      raw > stg
      stg > fct
      raw.amount > stg.half TRANSFORMATION amount / 2
      stg.half > fct.n FILTER half > 0
      stg.half ~ fct
    `);
    expect(await judge(lineage, "raw.amount", "column_drop")).toEqual([
      "stg high: raw.amount stg; DIRECT TRANSFORMATION amount / 2",
      "stg.half high: raw.amount stg.half; DIRECT TRANSFORMATION amount / 2",
      "fct medium: raw.amount stg.half fct; INDIRECT FILTER half > 0",
      "fct.n medium: raw.amount stg.half fct.n; INDIRECT FILTER half > 0",
    ]);
  });

  it("An asset that gets values of the column keeps that evidence, even over a longer path", async () => {
    const lineage = await draw(`
      table raw(id)
      model stg(id known) known
      model fct(id known) known
      raw > stg
      stg > fct
      raw > fct
      raw.id > stg.id IDENTITY id
      stg.id > fct.id IDENTITY id
      raw.id ~ fct
    `);
    expect(await judge(lineage, "raw.id", "column_drop")).toContain("fct high: raw.id stg.id fct; DIRECT IDENTITY id");
  });

  it("A known use is preferred to a nearer reference, and the nearer of two references is chosen", async () => {
    const lineage = await draw(`
      table raw(id)
      model stg(id known) known
      model fct(n known) known
      model odd(n known) known
      raw.id > stg.id IDENTITY id
      stg.id > fct.n JOIN f.id = s.id
      raw.id ~ fct
      stg.id ~ fct
      raw.id ~ odd
      stg.id ~ odd
    `);
    const judged = await judge(lineage, "raw.id", "column_drop");
    expect(judged).toContain("fct high: raw.id stg.id fct; INDIRECT JOIN f.id = s.id");
    expect(judged).toContain("odd high: raw.id odd; INDIRECT REFERENCE id");
  });

  it("An asset of unknown lineage that names the column fails, and its readers may be affected", async () => {
    const lineage = await draw(`
      table raw(id)
      model stg(id) unknown: no such function
      model fct(id known) known
      raw > stg
      stg > fct
      stg.id > fct.id IDENTITY id
      raw.id ~ stg
    `);
    expect(await judge(lineage, "raw.id", "column_drop")).toEqual([
      "stg high: raw.id stg; INDIRECT REFERENCE id",
      "fct medium: raw.id stg fct; DIRECT IDENTITY id",
      "fct.id medium: raw.id stg fct.id; DIRECT IDENTITY id",
    ]);
  });

  it("A model that names a column of its own fails when that column is dropped", async () => {
    const lineage = await draw(`
      model fct(updated_at known) known
      fct.updated_at ~ fct
    `);
    expect(await judge(lineage, "fct.updated_at", "column_drop")).toEqual([
      "fct high: fct.updated_at fct; INDIRECT REFERENCE updated_at",
    ]);
    expect(await judge(lineage, "fct", "column_drop")).toEqual([]);
  });

  it("An asset that does not name the column itself keeps the risk of its known use", async () => {
    const lineage = await draw(NAMED.replace("stg.id ~ fct", ""));
    expect(await judge(lineage, "stg.id", "column_drop")).toEqual([
      "fct medium: stg.id fct; INDIRECT JOIN o.id = s.id",
      "fct.total medium: stg.id fct.total; INDIRECT JOIN o.id = s.id",
    ]);
  });

  it("An asset that neither uses nor names the changed column is unaffected", async () => {
    const lineage = await draw(NAMED.replace("raw.token ~ stg", ""));
    expect(await judge(lineage, "raw.token", "column_drop")).toEqual([]);
  });

  it("A change that keeps the column's name makes no asset fail", async () => {
    const lineage = await draw(NAMED);
    expect(await judge(lineage, "raw.token", "type_change")).toEqual([]);
    expect(await judge(lineage, "raw.token", "deprecate")).toEqual([]);
    expect(await judge(lineage, "stg.id", "type_change")).toEqual([
      "fct medium: stg.id fct; INDIRECT JOIN o.id = s.id",
      "fct.total medium: stg.id fct.total; INDIRECT JOIN o.id = s.id",
    ]);
  });
});

describe("Metrics and dashboards", () => {
  const BOARDS = `
    table raw(id, paid)
    model stg(id known, paid known, late known) known
    metric revenue known
    metric rows known
    dashboard board
    raw > stg
    stg > revenue
    stg > rows
    stg > board
    raw.paid > stg.paid IDENTITY paid
    raw.paid > stg.late TRANSFORMATION not paid
    stg.paid > revenue FILTER paid
    stg.late > rows FILTER late
    stg.paid > board FILTER paid
  `;

  it("A metric or dashboard fails by any use of the column or of a copy, because its own query names it", async () => {
    const lineage = await draw(BOARDS);
    const judged = await judge(lineage, "raw.paid", "column_drop");
    expect(judged).toContain("revenue high: raw.paid stg.paid revenue; INDIRECT FILTER paid");
    expect(judged).toContain("board high: raw.paid stg.paid board; INDIRECT FILTER paid");
    expect(judged).toContain("rows medium: raw.paid stg.late rows; INDIRECT FILTER late");
    expect(await lineage.why("revenue", "stg.paid", "column_drop")).toBe(
      "Metric `revenue` is filtered by `stg.paid` (FILTER); its SQL names `stg.paid`: it fails without it.",
    );
  });
});

describe("Tables that may lose any column", () => {
  it("An asset fails if it names any column of a table whose columns may be dropped", async () => {
    const lineage = await draw(NAMED);
    expect(await judge(lineage, "raw", "column_drop")).toEqual([
      "stg high: raw stg; DIRECT IDENTITY id",
      "stg.id high: raw stg.id; DIRECT IDENTITY id",
      "fct high: raw stg.id fct; INDIRECT JOIN o.id = s.id",
      "fct.total medium: raw stg.id fct.total; INDIRECT JOIN o.id = s.id",
    ]);
  });

  it("An asset fails if it names any column of a table that is dropped as a whole", async () => {
    const lineage = await draw(`${NAMED}
      table other(n)
      model far(n known) known
      other.n > far.n IDENTITY n
      raw.token ~ far
    `);
    const judged = await judge(lineage, "raw", "column_drop", { asWhole: true });
    expect(judged).toContain("far high: raw far; INDIRECT REFERENCE token");
    expect(judged).toContain("fct high: raw stg.id fct; INDIRECT JOIN o.id = s.id");
    expect(judged).toContain("stg high: raw stg; DIRECT IDENTITY id");
  });
});

describe("Supposed lineage", () => {
  it("Removing an edge by supposition removes the reference with it, and a reference to a copy with the copy", async () => {
    const { tell, idOf } = await draw(NAMED);
    const without = (from: string, to: string) => ({ gone: [{ from: idOf(from), to: idOf(to) }], known: [] });
    expect(await tell("raw.token", "column_drop", { supposing: without("raw.token", "stg") })).toEqual([]);
    expect(await tell("raw.id", "column_drop", { supposing: without("raw.id", "stg.id") })).toEqual([
      "stg INDIRECT: raw.id stg",
    ]);
  });
});
