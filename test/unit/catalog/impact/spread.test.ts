/**
 * How a change spreads: the hops, one rule a test. Each line is an affected node, its weakest evidence, and the path.
 */
import { describe, expect, it } from "vitest";

import { draw } from "../../../support/drawn-lineage.ts";

describe("Assets that only count rows", () => {
  const SHOP = `
    table raw(id, amount, test)
    model stg(id known, amount known) known
    metric orders known certified
    metric share known
    dashboard board
    raw > stg
    stg > orders
    orders > share
    share > board
    raw.id > stg.id IDENTITY id
    raw.amount > stg.amount IDENTITY amount
    raw.test > stg.id FILTER not test
    raw.test > stg.amount FILTER not test
  `;

  it("A metric that only counts rows is affected when all columns of its source are, and so is its dashboard", async () => {
    const { tell, why } = await draw(SHOP);
    expect(await tell("raw.test", "column_drop")).toEqual(
      expect.arrayContaining([
        "orders INDIRECT: raw.test stg.amount orders",
        "share INDIRECT: raw.test stg.amount orders share",
        "board INDIRECT: raw.test stg.amount orders share board",
      ]),
    );
    expect(await why("orders", "raw.test", "column_drop")).toBe(
      "Certified metric `orders` reads the rows of `stg` and none of its columns, all of which are affected, " +
        "2 hops from `raw.test`.",
    );
    expect(await why("board", "raw.test", "column_drop")).toBe(
      "Dashboard `board` shows metric `share`, which is computed from certified metric `orders`, " +
        "4 hops: `raw.test` → `stg.amount` → `orders` → `share` → `board`; " +
        "on the way `stg.amount` is only filtered by `raw.test` (FILTER).",
    );
  });

  it("A metric that only counts rows is unaffected if any column of its source is unaffected", async () => {
    const { tell } = await draw(SHOP);
    expect(await tell("raw.amount", "column_drop")).toEqual([
      "stg DIRECT: raw.amount stg",
      "stg.amount DIRECT: raw.amount stg.amount",
    ]);
    expect(await tell("stg", "column_drop")).toEqual([]);
  });

  it("A metric that only counts rows is affected when its source gets other rows", async () => {
    const { tell } = await draw(SHOP);
    expect(await tell("stg", "type_change")).toEqual([]);
    expect(await tell("stg", "type_change", { otherRows: true })).toEqual([
      "orders INDIRECT: stg orders",
      "share INDIRECT: stg orders share",
      "board INDIRECT: stg orders share board",
    ]);
  });

  it("A metric that counts rows of a table of unknown lineage may be affected", async () => {
    const { tell } = await draw(`
      table raw(id)
      model stg(id, day) unknown
      metric orders known
      raw > stg
      stg > orders
    `);
    expect(await tell("raw.id", "column_drop")).toEqual([
      "stg UNKNOWN: raw.id stg",
      "orders UNKNOWN: raw.id stg orders",
    ]);
  });
});

describe("A table that is dropped as a whole", () => {
  const SHOP = `
    table raw(id, amount)
    model stg(amount known) known
    metric orders known
    dashboard board
    raw > stg
    raw > orders
    raw > board
    raw.amount > stg.amount IDENTITY amount
  `;

  it("Dropping a whole table breaks all readers, whichever columns they use, and those without known columns too", async () => {
    const { tell } = await draw(SHOP);
    expect(await tell("raw", "column_drop", { asWhole: true })).toEqual([
      "board DIRECT: raw board",
      "orders DIRECT: raw orders",
      "stg DIRECT: raw stg",
      "stg.amount DIRECT: raw stg.amount",
    ]);
  });

  it("Dropping a whole table breaks more than dropping one of its columns", async () => {
    const { tell } = await draw(SHOP);
    expect(await tell("raw", "column_drop")).toEqual([
      "stg DIRECT: raw stg",
      "stg.amount DIRECT: raw stg.amount",
      "board UNKNOWN: raw board",
    ]);
  });
});

describe("A changed column", () => {
  it("A changed column affects the columns made from it and their tables, along direct and indirect uses", async () => {
    const { tell } = await draw(`
      table raw(id, amount)
      model stg(amount known) known
      model fct(total known, days known) known
      raw > stg
      stg > fct
      raw.amount > stg.amount IDENTITY amount
      stg.amount > fct.total AGGREGATION sum(amount) | FILTER amount > 0
      stg.amount > fct.days FILTER amount > 0
    `);
    expect(await tell("raw.amount", "column_drop")).toEqual([
      "stg DIRECT: raw.amount stg",
      "stg.amount DIRECT: raw.amount stg.amount",
      "fct DIRECT: raw.amount stg.amount fct",
      "fct.total DIRECT: raw.amount stg.amount fct.total",
      "fct.days INDIRECT: raw.amount stg.amount fct.days",
    ]);
  });

  it("An edge between columns without evidence counts as a direct use", async () => {
    const { tell } = await draw(`
      table raw(id)
      model stg(id known) known
      raw > stg
      raw.id > stg.id
    `);
    expect(await tell("raw.id", "column_rename")).toEqual(["stg DIRECT: raw.id stg", "stg.id DIRECT: raw.id stg.id"]);
  });

  it("A changed column does not affect a reader that is known to use only other columns", async () => {
    const { tell } = await draw(`
      table raw(id, amount)
      model stg(id known) known
      metric revenue known
      dashboard board
      raw > stg
      raw > revenue
      raw > board
      raw.id > stg.id IDENTITY id
      raw.id > revenue AGGREGATION count(id)
      raw.id > board
    `);
    expect(await tell("raw.amount", "column_drop")).toEqual([]);
    expect(await tell("raw.id", "column_drop")).toEqual([
      "board DIRECT: raw.id board",
      "revenue DIRECT: raw.id revenue",
      "stg DIRECT: raw.id stg",
      "stg.id DIRECT: raw.id stg.id",
    ]);
  });

  it.each(["unknown", "partial", ""])(
    "A changed column may affect a reader of its table whose lineage is '%s'",
    async (status) => {
      const { tell } = await draw(`
      table raw(id)
      model stg(id) ${status}
      raw > stg
    `);
      expect(await tell("raw.id", "column_drop")).toEqual(["stg UNKNOWN: raw.id stg"]);
    },
  );

  it("A changed column may affect dashboards, pipelines and metrics without known columns", async () => {
    const { tell } = await draw(`
      table raw(id)
      dashboard board
      pipeline export
      metric revenue
      metric odd unknown
      raw > board
      raw > export
      raw > revenue
      raw > odd
    `);
    expect(await tell("raw.id", "column_drop")).toEqual([
      "board UNKNOWN: raw.id board",
      "export UNKNOWN: raw.id export",
      "odd UNKNOWN: raw.id odd",
      "revenue UNKNOWN: raw.id revenue",
    ]);
  });

  it("An asset that may be affected passes this on through its columns of unknown lineage", async () => {
    const { tell } = await draw(`
      table raw(id)
      model stg(a, b known, c unknown) partial
      model fct(x known, y known) known
      raw > stg
      stg > fct
      stg.a > fct.x IDENTITY a
      stg.b > fct.y IDENTITY b
    `);
    expect(await tell("raw.id", "column_drop")).toEqual([
      "stg UNKNOWN: raw.id stg",
      "fct UNKNOWN: raw.id stg fct",
      "fct.x UNKNOWN: raw.id stg fct.x",
    ]);
  });

  it("A path through a whole table gives the column at which its evidence begins", async () => {
    const { assess, idOf } = await draw(`
      table raw(id)
      model stg(a) unknown
      model fct(x known) known
      raw > stg
      stg > fct
      stg.a > fct.x IDENTITY a
    `);
    const { affected } = await assess("raw.id", "column_drop");
    const last = affected.find(({ id }) => id === idOf("fct.x"));
    expect(last?.path).toEqual([idOf("raw.id"), idOf("stg"), idOf("fct.x")]);
    expect(last?.evidence).toEqual([
      { kind: "UNKNOWN", level: "asset", transformation: "", expression: "", from: idOf("raw.id"), to: idOf("stg") },
      {
        kind: "DIRECT",
        level: "column",
        transformation: "IDENTITY",
        expression: "a",
        from: idOf("stg.a"),
        to: idOf("fct.x"),
      },
    ]);
  });

  it("A column that may be affected with its table keeps the stronger of both uses", async () => {
    const { tell } = await draw(`
      pipeline job
      table raw(id)
      model stg(a partial) partial
      job => raw
      raw > stg
      raw.id > stg.a FILTER id > 0
    `);
    // All of raw may change, so the unknown part of stg.a counts as much as the known part.
    expect(await tell("job", "deprecate")).toEqual([
      "raw DIRECT: job raw",
      "stg DIRECT: job raw stg",
      "stg.a DIRECT: job raw stg.a",
    ]);
    const whole = await draw(`
      table raw(id)
      model stg(a partial) partial
      raw > stg
      raw.id > stg.a FILTER id > 0
    `);
    expect(await whole.tell("raw", "deprecate")).toEqual(["stg DIRECT: raw stg", "stg.a DIRECT: raw stg.a"]);
  });

  it("A changed column of a model changes the column of the same name in the table that the model builds", async () => {
    const drawing = `
      model stg(a known, b known) known
      table built(a, b)
      stg => built
    `;
    const known = await draw(`${drawing}stg.a > built.a IDENTITY a`);
    expect(await known.tell("stg.b", "column_drop")).toEqual([]);
    expect(await known.tell("stg.a", "column_drop")).toEqual([
      "built DIRECT: stg.a built",
      "built.a DIRECT: stg.a built.a",
    ]);
    const unknown = await draw(drawing);
    expect(await unknown.tell("stg.a", "column_drop")).toEqual(["built UNKNOWN: stg.a built"]);
  });

  it("A changed column affects dashboards through their metrics and columns, and metrics through metrics", async () => {
    const { tell } = await draw(`
      table fct(amount, day)
      metric revenue known
      metric margin known
      dashboard board
      dashboard daily
      fct > revenue
      fct > daily
      fct.amount > revenue AGGREGATION sum(amount)
      fct.day > daily IDENTITY day
      revenue > margin
      margin > board
      revenue > board
    `);
    expect(await tell("fct.amount", "column_drop")).toEqual([
      "revenue DIRECT: fct.amount revenue",
      "board DIRECT: fct.amount revenue board",
      "margin DIRECT: fct.amount revenue margin",
    ]);
    expect(await tell("fct.day", "column_drop")).toEqual(["daily DIRECT: fct.day daily"]);
  });

  it("A changed column may affect a table that a pipeline on the path fills", async () => {
    const { tell } = await draw(`
      table fct(amount)
      pipeline export
      table lake(a, b)
      model known_one(a known) known
      fct > export
      export => lake
      lake > known_one
      lake.a > known_one.a IDENTITY a
    `);
    expect(await tell("fct.amount", "column_drop")).toEqual([
      "export UNKNOWN: fct.amount export",
      "lake UNKNOWN: fct.amount export lake",
      "known_one UNKNOWN: fct.amount export lake known_one",
      "known_one.a UNKNOWN: fct.amount export lake known_one.a",
    ]);
  });

  it("A table that a pipeline fills is at low risk if its columns are known to come from elsewhere", async () => {
    const { tell } = await draw(`
      table fct(amount)
      pipeline job
      model other(a known) known
      dashboard board
      fct > job
      job > other
      other > board
    `);
    expect(await tell("fct.amount", "column_drop")).toEqual([
      "job UNKNOWN: fct.amount job",
      "other NONE: fct.amount job other",
      "board NONE: fct.amount job other board",
    ]);
  });

  it("A reader is at low risk if it is known to use none of the unclear columns of a table", async () => {
    const { tell } = await draw(`
      table raw(id)
      model stg(a unknown, b known) partial
      model fct(x known) known
      model mart(y)
      raw > stg
      stg > fct
      fct > mart
      stg.b > fct.x IDENTITY b
    `);
    expect(await tell("raw.id", "column_drop")).toEqual([
      "stg UNKNOWN: raw.id stg",
      "fct NONE: raw.id stg fct",
      "mart NONE: raw.id stg fct mart",
    ]);
  });

  it("The strongest path is chosen, and of equally strong ones the shortest", async () => {
    const { tell } = await draw(`
      table raw(id)
      model a(id known) known
      model b(id known) known
      model c(id known, out known) known
      raw > a
      a > b
      b > c
      raw > c
      raw.id > a.id IDENTITY id
      a.id > b.id IDENTITY id
      b.id > c.id IDENTITY id
      raw.id > c.id FILTER id > 0
      c.id > c.out FILTER id > 0
    `);
    expect((await tell("raw.id", "column_drop")).filter((line) => line.startsWith("c"))).toEqual([
      "c DIRECT: raw.id a.id b.id c",
      "c.id DIRECT: raw.id a.id b.id c.id",
      // Both paths are weak here, so the short way to c.id counts, though the long one is stronger.
      "c.out INDIRECT: raw.id c.id c.out",
    ]);
  });

  it("Of equal paths, the one whose earlier nodes have the smaller keys is chosen", async () => {
    const { tell } = await draw(`
      table raw(id)
      model y(id known) known
      model x(id known) known
      model z(id known) known
      raw.id > y.id IDENTITY id
      raw.id > x.id IDENTITY id
      y.id > z.id IDENTITY id
      x.id > z.id IDENTITY id
    `);
    expect(await tell("raw.id", "column_drop")).toContain("z.id DIRECT: raw.id x.id z.id");
  });

  it("A walk ends in cycles and self-loops, and a changed asset never affects itself", async () => {
    const { tell } = await draw(`
      model a(id known, other known) known
      model b(id known) known
      a > a
      a > b
      b > a
      a.id > a.id IDENTITY id
      a.id > b.id IDENTITY id
      b.id > a.id IDENTITY id
    `);
    expect(await tell("a.id", "column_drop")).toEqual(["b DIRECT: a.id b", "b.id DIRECT: a.id b.id"]);
    expect(await tell("a", "deprecate")).toEqual(["b DIRECT: a b", "b.id DIRECT: a b.id"]);
  });

  it("A changed column affects its own table through another column made from it", async () => {
    const { tell } = await draw(`
      model a(id known, next known) known
      a > a
      a.id > a.next WINDOW lag(id)
    `);
    expect(await tell("a.id", "column_drop")).toEqual(["a INDIRECT: a.id a", "a.next INDIRECT: a.id a.next"]);
  });

  it("A changed column affects columns that are made from a metric", async () => {
    const { tell } = await draw(`
      table raw(id)
      metric revenue known
      model stg(total known) known
      raw > revenue
      revenue > stg
      raw.id > revenue AGGREGATION sum(id)
      revenue > stg.total IDENTITY revenue
    `);
    expect(await tell("raw.id", "column_drop")).toContain("stg.total DIRECT: raw.id revenue stg.total");
  });
});

describe("A changed table", () => {
  it("A changed table changes all its columns, and their paths begin with the table", async () => {
    const { tell, assess, idOf } = await draw(`
      table raw(id, amount)
      model stg(amount known) known
      model other(x) unknown
      raw > stg
      raw > other
      raw.amount > stg.amount IDENTITY amount
    `);
    expect(await tell("raw", "column_drop")).toEqual([
      "stg DIRECT: raw stg",
      "stg.amount DIRECT: raw stg.amount",
      "other UNKNOWN: raw other",
    ]);
    const { affected } = await assess("raw", "column_drop");
    expect(affected.map(({ evidence: [hop] }) => hop?.from)).toEqual(
      ["raw.amount", "raw.amount", "raw"].map((name) => idOf(name)),
    );
  });

  it("A changed table without columns may affect all its readers, except those whose columns are known", async () => {
    const { tell } = await draw(`
      table raw
      model stg(a) unknown
      model known_one(b known) known
      dashboard board
      raw > stg
      raw > known_one
      stg > board
    `);
    expect(await tell("raw", "column_drop")).toEqual([
      "stg UNKNOWN: raw stg",
      "board UNKNOWN: raw stg board",
      "known_one NONE: raw known_one",
    ]);
  });

  it("A deprecated table affects all its readers, whichever columns they use", async () => {
    const { tell } = await draw(`
      table raw(id)
      model stg(a known) known
      dashboard board
      raw > stg
      stg > board
    `);
    expect(await tell("raw", "deprecate")).toEqual(["stg DIRECT: raw stg", "board UNKNOWN: raw stg board"]);
  });
});

describe("A change of type", () => {
  const drawing = `
    table raw(small int, big bigint, text text, odd)
    model stg(small known, big known, text known, odd known) known
    raw > stg
    raw.small > stg.small IDENTITY small
    raw.big > stg.big IDENTITY big
    raw.text > stg.text IDENTITY text
    raw.odd > stg.odd IDENTITY odd
  `;

  it("A changed type narrows or widens a column by the old and the new type", async () => {
    const { assess } = await draw(drawing);
    const effectOn = async (root: string, newType: string | null) =>
      (await assess(root, "type_change", { newType })).effect;
    expect(await effectOn("raw.small", "bigint")).toBe("widens");
    expect(await effectOn("raw.small", "int")).toBe("widens");
    expect(await effectOn("raw.big", "int")).toBe("narrows");
    expect(await effectOn("raw.big", null)).toBe("narrows");
    expect(await effectOn("raw.odd", "int")).toBe("narrows");
  });

  it("A changed type of a table is assessed for each column, and the worst effect is reported", async () => {
    const { assess, nameOf } = await draw(drawing);
    const { effect, affected } = await assess("raw", "type_change", { newType: "bigint" });
    expect(effect).toBe("narrows");
    expect(affected.map(({ id, risk }) => `${nameOf(id)} ${risk}`)).toEqual([
      "stg medium",
      "stg.odd medium",
      "stg.text medium",
      "stg.big low",
      "stg.small low",
    ]);
  });
});

describe("A deprecated pipeline, metric or dashboard", () => {
  it("A deprecated pipeline affects the tables that it loads and all assets made from them", async () => {
    const { tell } = await draw(`
      pipeline loader
      table raw(id)
      model known_source(id known) known
      model stg(id known) known
      metric revenue known
      dashboard board
      loader => raw
      loader => known_source
      raw > stg
      raw.id > stg.id IDENTITY id
      stg > revenue
      stg.id > revenue AGGREGATION count(id)
      revenue > board
    `);
    expect(await tell("loader", "deprecate")).toEqual([
      "known_source DIRECT: loader known_source",
      "raw DIRECT: loader raw",
      "stg DIRECT: loader raw stg",
      "stg.id DIRECT: loader raw stg.id",
      "revenue DIRECT: loader raw stg.id revenue",
      "board DIRECT: loader raw stg.id revenue board",
    ]);
    expect(await tell("revenue", "deprecate")).toEqual(["board DIRECT: revenue board"]);
    expect(await tell("board", "deprecate")).toEqual([]);
  });
});
