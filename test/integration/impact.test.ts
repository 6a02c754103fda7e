/** The impact of changes, from the real service over a small warehouse. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { type PaymentsCatalog, writePaymentsCatalog } from "../support/payments-catalog.ts";
import { present } from "../support/present.ts";
import { at, createRestClient, type Json, keysOf, type RestClient, words } from "../support/rest-client.ts";

let running: RunningApp;
let ask: RestClient;
let askGraphql: GraphqlClient;
let catalog: PaymentsCatalog;

beforeAll(async () => {
  running = await startApp();
  ask = createRestClient(running);
  askGraphql = createGraphqlClient(running);
  const workspace = present(await running.app.metadata.workspaces.findByName("default"));
  catalog = await writePaymentsCatalog(running.app.graph, workspace.id);
});
afterAll(() => running.close());

interface Item {
  id: string;
  name: string;
  type: string;
  risk: string;
  reason: string;
  path: string[];
  evidence: { kind: string; level: string; transformation: string; expression: string }[];
  owner: string;
}

const send = (body: unknown, client: RestClient = ask) =>
  client("/api/v1/lineage/impact", { method: "POST", body: JSON.stringify(body) });

async function assess(body: Record<string, string>, client: RestClient = ask) {
  const answer = await send(body, client);
  expect(answer.status).toBe(200);
  return answer.body as unknown as { summary: Record<string, number>; affected: Item[]; truncated: boolean };
}

/** As `risk type name`, in the order of the answer. */
async function risksOf(body: Record<string, string>): Promise<string[]> {
  const { affected } = await assess(body);
  return affected.map(({ risk, type, name }) => `${risk} ${type} ${name}`);
}

async function itemOf(body: Record<string, string>, id: string): Promise<Item> {
  return present((await assess(body)).affected.find((item) => item.id === id));
}

describe("Impact", () => {
  test("An impact has the specified keys and the additional ones, and no others", async () => {
    const { body } = await send({ asset_id: catalog.amount, change_type: "column_drop" });

    expect(keysOf(body)).toEqual(words("asset_id change_type summary affected truncated completeness"));
    expect(keysOf(at(body, "summary"))).toEqual(
      words("total_affected high_risk_count medium_risk_count low_risk_count"),
    );
    expect(keysOf(at(body, "affected", 0))).toEqual(words("id name type risk reason path evidence owner"));
    expect(keysOf(at(body, "affected", 0, "evidence", 0))).toEqual(words("kind level transformation expression"));
    expect(body).toMatchObject({
      asset_id: catalog.amount,
      change_type: "column_drop",
      summary: { total_affected: 9, high_risk_count: 6, medium_risk_count: 3, low_risk_count: 0 },
      truncated: false,
    });
  });

  test("A dropped or renamed column is of high risk where its values go, and of medium risk where that is unknown", async () => {
    const expected = [
      "high model stg_payments",
      "high column amount",
      "high model fct_revenue",
      "high column total",
      "high metric revenue",
      "high dashboard board",
      "medium model legacy",
      "medium dashboard old_board",
      "medium pipeline feed",
    ];
    for (const change_type of ["column_drop", "column_rename"]) {
      expect(await risksOf({ asset_id: catalog.amount, change_type })).toEqual(expected);
    }
  });

  test("A dropped column that only filters is of high risk for what people decide by, and of medium risk for the rest", async () => {
    const risks = await risksOf({ asset_id: catalog.note, change_type: "column_drop" });
    expect(risks.filter((risk) => risk.startsWith("high"))).toEqual(["high metric revenue", "high dashboard board"]);
    expect(risks).toContain("medium column total");
  });

  test("An impact leaves out assets that are known not to use the column", async () => {
    expect(await risksOf({ asset_id: catalog.unused, change_type: "column_drop" })).toEqual([
      "medium model legacy",
      "medium dashboard old_board",
    ]);
  });

  test("A type change is of low risk if every value still fits, and else of medium risk", async () => {
    const widened = { asset_id: catalog.amount, change_type: "type_change", new_type: "bigint" };
    expect((await assess(widened)).summary).toMatchObject({ total_affected: 9, low_risk_count: 9 });
    for (const new_type of ["smallint", "no type at all", undefined]) {
      const narrowed = { ...widened, new_type };
      const { body } = await send(narrowed);
      expect(at(body, "summary")).toMatchObject({ total_affected: 9, medium_risk_count: 9 });
    }
  });

  test("A deprecation is one step milder than a drop", async () => {
    const { summary, affected } = await assess({ asset_id: catalog.amount, change_type: "deprecate" });
    expect(summary).toMatchObject({ total_affected: 9, high_risk_count: 0, medium_risk_count: 6, low_risk_count: 3 });
    expect(affected.filter(({ risk }) => risk === "low").map(({ name }) => name)).toEqual([
      "legacy",
      "old_board",
      "feed",
    ]);
  });

  test("The impact on a table is that of the worst of its columns", async () => {
    const whole = await assess({ asset_id: catalog.payments, change_type: "column_drop" });
    const column = await assess({ asset_id: catalog.amount, change_type: "column_drop" });
    expect(whole.summary).toEqual(column.summary);
    expect(whole.affected.map(({ id, risk }) => [id, risk])).toEqual(column.affected.map(({ id, risk }) => [id, risk]));
    expect(whole.affected.every(({ path }) => path[0] === catalog.payments)).toBe(true);
  });

  test("The impact of deprecating a metric reaches what shows it, and is empty if nothing uses it", async () => {
    expect(await risksOf({ asset_id: catalog.revenue, change_type: "deprecate" })).toEqual(["medium dashboard board"]);
    expect(await assess({ asset_id: catalog.feed, change_type: "deprecate" })).toMatchObject({
      summary: { total_affected: 0, high_risk_count: 0, medium_risk_count: 0, low_risk_count: 0 },
      affected: [],
      truncated: false,
    });
  });
});

describe("The evidence", () => {
  test("The evidence has one piece for each hop of the path, with the SQL that was read", async () => {
    const item = await itemOf({ asset_id: catalog.amount, change_type: "column_drop" }, catalog.revenue);
    expect(item).toMatchObject({
      path: [catalog.amount, catalog.stagedAmount, catalog.total, catalog.revenue],
      evidence: [
        { kind: "DIRECT", level: "column", transformation: "IDENTITY", expression: "amount" },
        { kind: "DIRECT", level: "column", transformation: "AGGREGATION", expression: "sum(amount)" },
        { kind: "DIRECT", level: "column", transformation: "AGGREGATION", expression: "sum(total)" },
      ],
      owner: "cfo@example.com",
    });
    for (const part of ["`revenue`", "sums", "`fct_revenue.total`", "AGGREGATION", "3 hops"]) {
      expect(item.reason).toContain(part);
    }
  });

  test("The evidence says what is unknown, and why", async () => {
    const item = await itemOf({ asset_id: catalog.amount, change_type: "column_drop" }, catalog.legacy);
    expect(item.evidence).toEqual([{ kind: "UNKNOWN", level: "asset", transformation: "", expression: "" }]);
    expect(item.reason).toContain("the SQL could not be parsed");
    expect(item.reason).toMatch(/not known/);
  });

  test("The evidence names the table's owner if the column has none", async () => {
    const item = await itemOf({ asset_id: catalog.amount, change_type: "column_drop" }, catalog.total);
    expect(item.owner).toBe("Stage@Example.com");
  });
});

const QUERY = `query ($id: ID!, $change: ChangeType!, $type: String) { impact(id: $id, changeType: $change, newType: $type) {
  assetId changeType newType effect truncated asset { __typename name }
  summary { totalAffected highRiskCount mediumRiskCount lowRiskCount }
  affected { id name fqn type certification risk reason hops path owner ownerName node { id platform }
    evidence { kind level transformation expression from to } }
  owners { owner ownerName summary { totalAffected highRiskCount mediumRiskCount lowRiskCount } affected { id } } } }`;

const SNAKE: Readonly<Record<string, string>> = {
  totalAffected: "total_affected",
  highRiskCount: "high_risk_count",
  mediumRiskCount: "medium_risk_count",
  lowRiskCount: "low_risk_count",
};

describe("Over GraphQL", () => {
  test.each(["column_drop", "column_rename", "type_change", "deprecate"])(
    "The impact of %s over GraphQL is the same as over REST",
    async (change) => {
      for (const id of [catalog.amount, catalog.note, catalog.payments, catalog.staged]) {
        const rest = await assess({ asset_id: id, change_type: change });
        const { data, codes } = await askGraphql(QUERY, { id, change });
        expect(codes).toEqual([]);
        const impact = at(data, "impact");
        const items = at(impact, "affected") as unknown as Item[];
        const summary = Object.entries(at(impact, "summary") as object).map(([name, count]) => [SNAKE[name], count]);
        expect(Object.fromEntries(summary)).toEqual(rest.summary);
        expect(
          items.map(({ id: itemId, name, type, risk, reason, path, evidence, owner }) => ({
            id: itemId,
            name,
            type,
            risk,
            reason,
            path,
            evidence: evidence.map(({ kind, level, transformation, expression }) => ({
              kind,
              level,
              transformation: transformation ?? "",
              expression: expression ?? "",
            })),
            owner: owner ?? "",
          })),
        ).toEqual(rest.affected);
      }
    },
  );

  test("The impact over GraphQL has the effect, each node, and the people to tell", async () => {
    const { data } = await askGraphql(QUERY, { id: catalog.amount, change: "type_change", type: "bigint" });
    const impact = at(data, "impact");
    expect(impact).toMatchObject({
      assetId: catalog.amount,
      newType: "bigint",
      effect: "widens",
      asset: { __typename: "Asset", name: "amount" },
    });
    const affected = at(impact, "affected") as { id: string; path: string[]; hops: number; node: Json }[];
    for (const { id, path, hops, node } of affected) {
      expect(node).toEqual({ id, platform: "postgres" });
      expect(hops).toBe(path.length - 1);
    }
    const owners = at(impact, "owners") as { owner: Json; ownerName: Json; affected: { id: string }[] }[];
    expect(
      owners.map(({ owner, ownerName, affected: theirs }) => [owner ?? ownerName, theirs.map(({ id }) => id)]),
    ).toEqual([
      ["stage@example.com", [catalog.staged, catalog.stagedAmount, catalog.facts, catalog.total]],
      ["cfo@example.com", [catalog.revenue, catalog.board]],
      ["Nobody knows", [catalog.legacy]],
      [null, [catalog.oldBoard, catalog.feed]],
    ]);
  });

  test("The impact over GraphQL can be selected on an asset that a query has found", async () => {
    const { data } = await askGraphql(`{ asset(fqn: "marts.fct_revenue") { columns { name
      impact(changeType: column_drop) { summary { totalAffected } affected { name evidence { from to } } } } } }`);
    expect(at(data, "asset", "columns")).toEqual([
      {
        name: "total",
        impact: {
          summary: { totalAffected: 3 },
          affected: [
            { name: "revenue", evidence: [{ from: catalog.total, to: catalog.revenue }] },
            { name: "board", evidence: expect.any(Array) },
            { name: "feed", evidence: expect.any(Array) },
          ],
        },
      },
    ]);
  });
});

describe("refused requests", () => {
  const drop = { change_type: "column_drop" };
  const retype = { change_type: "type_change" };

  test.each<[what: string, body: () => unknown, field: string, message: RegExp]>([
    ["no asset", () => drop, "asset_id", /^is required$/],
    ["an id that is empty", () => ({ asset_id: "", ...drop }), "asset_id", /^must not be empty$/],
    ["an id that is no text", () => ({ asset_id: 7, ...drop }), "asset_id", /^must be text$/],
    ["no change", () => ({ asset_id: catalog.amount }), "change_type", /^must be one of column_rename, column_drop, /],
    ["an unknown change", () => ({ asset_id: catalog.amount, change_type: "drop" }), "change_type", /^must be one of/],
    ["a column of a dashboard", () => ({ asset_id: catalog.board, ...drop }), "change_type", /dashboard/],
    ["a column of a pipeline", () => ({ asset_id: catalog.feed, ...retype }), "change_type", /pipeline/],
    ["a column of a metric", () => ({ asset_id: catalog.revenue, ...drop }), "change_type", /metric/],
    [
      "a type for another change",
      () => ({ asset_id: catalog.amount, ...drop, new_type: "int" }),
      "new_type",
      /^is only for a type_change$/,
    ],
    ["a blank type", () => ({ asset_id: catalog.amount, ...retype, new_type: " \n" }), "new_type", /blank/],
    [
      "an endless type",
      () => ({ asset_id: catalog.amount, ...retype, new_type: "x".repeat(10_001) }),
      "new_type",
      /10000/,
    ],
    [
      "a type that is no text",
      () => ({ asset_id: catalog.amount, ...retype, new_type: 1 }),
      "new_type",
      /^must be text$/,
    ],
    [
      "a type that is null",
      () => ({ asset_id: catalog.amount, ...retype, new_type: null }),
      "new_type",
      /^must be text$/,
    ],
    ["an unknown key", () => ({ asset_id: catalog.amount, ...drop, depth: 3 }), "depth", /^is not known here$/],
    ["a list", () => [], "body", /^must be a JSON object$/],
  ])("A request for an impact is refused: %s", async (_what, body, field, message) => {
    const answer = await send(body());
    expect([answer.status, at(answer.body, "error")]).toEqual([400, "bad_request"]);
    expect(at(answer.body, "details")).toEqual(
      expect.arrayContaining([{ field, message: expect.stringMatching(message) }]),
    );
  });

  test("A request for an impact is refused if it has a key twice", async () => {
    const body = `{"asset_id":"${catalog.amount}","asset_id":"${catalog.note}","change_type":"deprecate"}`;
    const answer = await ask("/api/v1/lineage/impact", { method: "POST", body });
    expect([answer.status, at(answer.body, "details")]).toEqual([
      400,
      [{ field: "asset_id", message: "is given more than once" }],
    ]);
  });

  test("A request for an impact is refused with all its faults at once", async () => {
    const { body } = await send({ change_type: "drop", new_type: 1, depth: 3 });
    const fields = (at(body, "details") as { field: string }[]).map(({ field }) => field);
    expect(fields.toSorted()).toEqual(["asset_id", "change_type", "depth", "new_type"]);
  });

  test("A request for the impact of an unknown asset is not found, whatever the change", async () => {
    for (const change_type of ["column_drop", "deprecate"]) {
      const { status, body } = await send({ asset_id: "nonsense", change_type });
      expect([status, at(body, "error")]).toEqual([404, "not_found"]);
    }
  });

  test("A request for an impact is refused without the scope read, with another content type, and without a body", async () => {
    const token = await running.createToken(["write", "admin"]);
    const asked = { asset_id: catalog.amount, change_type: "deprecate" };
    expect((await send(asked, createRestClient({ url: running.url, token }))).status).toBe(403);
    const form = {
      method: "POST",
      body: "asset_id=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    };
    expect((await ask("/api/v1/lineage/impact", form)).status).toBe(415);
    expect((await ask("/api/v1/lineage/impact", { method: "POST" })).status).toBe(400);
  });

  test("A request for an impact over GraphQL is refused by the names of its arguments", async () => {
    const code = async (variables: Record<string, unknown>) => (await askGraphql(QUERY, variables)).codes;
    expect(await code({ id: "nonsense", change: "column_drop" })).toEqual(["NOT_FOUND"]);
    expect(await code({ id: catalog.board, change: "column_drop" })).toEqual(["BAD_REQUEST"]);
    expect(await code({ id: catalog.amount, change: "deprecate", type: "int" })).toEqual(["BAD_REQUEST"]);
    expect(await code({ id: catalog.amount, change: "drop" })).toEqual(["BAD_REQUEST"]);
    const { message } = await askGraphql(QUERY, { id: catalog.amount, change: "type_change", type: "" });
    expect(message).toBe("newType: must not be blank");
  });
});

test("A result that is not complete says so, counts everything, and keeps the worst", async () => {
  const small = await startApp({ env: { MAX_LINEAGE_NODES: "4" } });
  try {
    const workspace = present(await small.app.metadata.workspaces.findByName("default"));
    const { amount } = await writePaymentsCatalog(small.app.graph, workspace.id);
    const whole = await assess({ asset_id: catalog.amount, change_type: "column_drop" });
    const cut = await assess({ asset_id: amount, change_type: "column_drop" }, createRestClient(small));
    expect(cut).toMatchObject({ summary: whole.summary, truncated: true });
    const sentences = ({ affected }: typeof whole): string[] => affected.map(({ risk, reason }) => `${risk} ${reason}`);
    expect(sentences(cut)).toEqual(sentences(whole).slice(0, 4));

    const { data } = await createGraphqlClient(small)(QUERY, { id: amount, change: "column_drop" });
    const owners = at(data, "impact", "owners") as { summary: { totalAffected: number }; affected: unknown[] }[];
    expect(owners.map(({ summary, affected }) => [summary.totalAffected, affected.length])).toEqual([
      [4, 4],
      [2, 0],
      [1, 0],
      [2, 0],
    ]);
  } finally {
    await small.close();
  }
});
