/** The SQL of a job, if its sender tells only the columns of the select list. */
import { describe, expect, test } from "vitest";

import { resolveColumns } from "../../../../src/sql-lineage/resolve-columns.ts";
import {
  createInbox,
  edgesOf,
  type Event,
  type EventDataset,
  facet,
  inputField,
  partFacets,
  pg,
  runEvent,
  schemaFacet,
} from "../../../support/lineage-events.ts";

const raw = pg("raw", schemaFacet("a", "b", "k", "flag"));
const other = pg("other", schemaFacet("k", "day"));
const fields = { a: { inputFields: [inputField("raw", "a")] } };
const written = (...columns: string[]) => pg("out", { ...schemaFacet(...columns), columnLineage: facet({ fields }) });
const out = written("a", "b");

interface Run {
  inputs?: EventDataset[];
  outputs?: EventDataset[];
  /** The SQL of an earlier event of the run. */
  before?: string;
}

/** What is stated of the job and of the table that it writes. */
function stated(sql: string, { inputs = [raw, other], outputs = [out], before }: Run = {}) {
  const factsOf = (query: string) => ({ inputs, outputs, jobFacets: { sql: facet({ query }) } });
  const begun = before === undefined ? [] : [runEvent({ state: "START", ...factsOf(before) })];
  return statedBy([...begun, runEvent({ at: 1, ...factsOf(sql) })]);
}

function statedBy(events: readonly Event[]) {
  const inbox = createInbox({}, undefined, resolveColumns);
  for (const event of events) inbox.send(event);
  const assets = inbox.events().flatMap((event) => (event.kind === "asset" ? [event.asset] : []));
  const table = assets.find(({ name }) => name === "out");
  return {
    job: assets.find(({ ref }) => ref.type === "pipeline")?.columnsRead?.status,
    table: table?.untraced === undefined ? table?.columnsTraced : "not all",
    edges: edgesOf(inbox)
      .filter((line) => /\.(?:raw|other)\.\w+ /.test(line))
      .map((line) => line.replaceAll("shop.public.", "")),
  };
}

const partial = { job: "unknown", table: "not all", edges: ["raw.a derives out.a"] };
const JOINED = "select raw.a, sum(b) as b from raw join other on raw.k = other.k where flag group by raw.a";

describe("The SQL of a job", () => {
  test("The SQL tells which columns are filtered, joined and grouped by", () => {
    expect(stated(`insert into public.out (a, b) ${JOINED}`)).toMatchObject({ job: "known", table: ["a", "b"] });
    const { edges } = stated(`create table out as ${JOINED}`);
    expect(edges).toContain("raw.a derives out.a DIRECT IDENTITY [a] INDIRECT GROUP_BY [raw.a]");
    expect(edges).toContain("raw.b derives out.b DIRECT AGGREGATION [SUM(b)]");
    expect(edges).toContain("raw.flag derives out.a INDIRECT FILTER [flag]");
    expect(edges).toContain("raw.flag reads nightly.load INDIRECT FILTER []");
    expect(edges).toContain("other.k reads nightly.load INDIRECT JOIN []");
    expect(edges.filter((line) => line.startsWith("other.day"))).toEqual([]);
  });

  test("A column that the SQL names and does not use is read by the job, and nothing comes from it", () => {
    const sql = "with c as (select a, b, flag from raw) insert into out select a, b from c";
    const { edges, ...states } = stated(sql, { inputs: [raw] });
    expect(states).toEqual({ job: "known", table: ["a", "b"] });
    expect(edges.filter((line) => line.includes("flag"))).toEqual([
      "raw.flag reads nightly.load INDIRECT CONDITIONAL []",
    ]);
  });

  test("The SQL may empty a table before it fills it, in a transaction, and may leave the last columns out", () => {
    for (const before of ["truncate table out", "delete from out", "drop table if exists out"]) {
      const { job, table } = stated(`begin; ${before}; insert into out (a, b) ${JOINED}; commit`);
      expect({ job, table }).toEqual({ job: "known", table: ["a", "b"] });
    }
    const sql = "insert into out (a) select a from raw where flag";
    const { edges, ...states } = stated(sql, { inputs: [raw] });
    expect(states).toEqual({ job: "known", table: ["a", "b"] });
    expect(edges.filter((line) => line.includes("out.b"))).toEqual(["raw.flag derives out.b INDIRECT FILTER [flag]"]);
  });

  test("The SQL may be a plain query, or name the table that it fills in any case and with its whole path", () => {
    for (const head of ["", "insert into OUT ", "insert into shop.public.out ", "create table public.out as "]) {
      const { job, table } = stated(`${head}${JOINED}`);
      expect({ job, table }).toEqual({ job: "known", table: ["a", "b"] });
    }
  });

  test("The SQL tells which column has an expression without a name", () => {
    const unnamed = { _0: { inputFields: [inputField("raw", "b")] } };
    const outputs = [pg("out", { ...schemaFacet("a", "b"), columnLineage: facet({ fields: unnamed }) })];
    const { edges } = stated("insert into out (a, b) select k, b + 1 from raw", { inputs: [raw], outputs });
    expect(edges).toContain("raw.b derives out.b DIRECT TRANSFORMATION [b + 1]");
  });

  test.each([
    [
      "it fills the columns in another order",
      "insert into out (b, a) select raw.b, raw.a from raw join other using (k)",
    ],
    ["its columns have other names", "insert into out select raw.a, raw.k from raw join other using (k)"],
    ["it leaves out other columns than the last", "insert into out (b) select raw.a from raw join other using (k)"],
    ["there are several statements", `delete from out where b > 1; insert into out ${JOINED}`],
    ["it reads a relation that the event does not name", `insert into out ${JOINED.replace("other", "more")}`],
    ["it does not read all that the job reads", "insert into out select a, b from raw"],
    ["it names a column that is not in a schema", `insert into out ${JOINED.replace("flag", "more")}`],
    ["it cannot be parsed", "insert into out select from where"],
    ["it fills another table", `insert into another (a, b) ${JOINED}`],
    ["it fills a table of another schema", `insert into stage.out ${JOINED}`],
    ["it fills a table of another database", `insert into test.public.out ${JOINED}`],
    ["it creates another table", `create table staging as ${JOINED}`],
    ["it creates a temporary table", `create temporary table out as ${JOINED}`],
    ["it selects into another table", JOINED.replace("from", "into another from")],
    ["it fills another table and empties the output", `insert into stage ${JOINED}; truncate out`],
    ["it empties the output after it fills it", `insert into out ${JOINED}; delete from out`],
    ["it has no query", "update out set a = b"],
    ["it does not name what the event names", "insert into out select k as a, b from raw natural join other"],
  ])("The SQL does not count if %s", (_, sql) => {
    expect(stated(sql)).toEqual(partial);
  });

  test("The SQL of a job does not count if it writes several tables, or reads another platform", () => {
    const sql = `insert into out ${JOINED}`;
    expect(stated(sql, { outputs: [out, pg("more")] }).table).toBe("not all");
    const file = { namespace: "s3://bucket", name: "file" };
    expect(stated(sql, { inputs: [raw, other, file] })).toEqual(partial);
    expect(stated(sql, { inputs: [raw, other] }).job).toBe("known");
  });

  test("The SQL of a job does not count if the events of its run do not agree about it", () => {
    const sql = `insert into out ${JOINED}`;
    expect(stated(sql, { before: sql }).job).toBe("known");
    expect(stated(sql, { before: `${sql} having b > 1` })).toEqual(partial);
  });

  test("The SQL does not count if parts of one run do not agree about it", () => {
    const sqls = [`insert into out ${JOINED} having b > 1`, `insert into out ${JOINED}`];
    const parts = (index?: number) =>
      sqls.map((query, i) => {
        const given = { inputs: [raw, other], outputs: [out], jobFacets: { sql: facet({ query }) } };
        return runEvent({
          ...given,
          run: i,
          at: i,
          runFacets: partFacets(1, index === undefined ? undefined : index + i),
        });
      });
    expect(statedBy(parts())).toEqual(partial);
    expect(statedBy(parts().toReversed())).toEqual(partial);
    expect(statedBy(parts(0))).toEqual(partial);
  });

  test("The SQL does not count if the first event of a part has another than its last", () => {
    const events = ["START", "COMPLETE"].map((state, at) => {
      const query = `insert into out ${JOINED}${at === 0 ? " having b > 1" : ""}`;
      const given = { inputs: [raw, other], outputs: [out], jobFacets: { sql: facet({ query }) } };
      return runEvent({ ...given, state, at, runFacets: partFacets(1, 0) });
    });
    expect(statedBy(events)).toEqual(partial);
  });
});
