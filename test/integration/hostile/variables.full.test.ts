import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

let bench: GraphqlBench;
beforeAll(async () => {
  bench = await openGraphqlBench();
});
afterAll(() => bench.close());

const CHANGES = "query ($changes: [ChangeInput!]!) { changeSetImpact(changes: $changes) { truncated } }";
const AGENT = 'query ($context: AgentContext) { ask(query: "x", context: $context) { answer } }';
const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`assetIdx${i}`, 1]));

describe("invalid variables", () => {
  it.each([
    ["unknown keys", AGENT, { context: unknown(30_000) }, /Field "assetIdx0" is not defined by type "AgentContext"/],
    [
      "an unknown key of half a megabyte",
      AGENT,
      { context: { ["k".repeat(500_000)]: 1 } },
      /500000 characters is not defined/,
    ],
    [
      "many things without what they need",
      CHANGES,
      { changes: Array.from({ length: 300_000 }, () => ({})) },
      /at "changes\[0\]"; Field "\w+" of required type/,
    ],
    [
      "a long text for an enum",
      CHANGES,
      { changes: { id: "a", changeType: "x".repeat(900_000) } },
      /900000 characters is not a "ChangeType"/,
    ],
    ["a large object for a text", AGENT, { context: { workspaceArea: unknown(30_000) } }, /String cannot represent/],
  ])("Unfit variables are refused at the first fault: %s", async (_what, query, variables, message) => {
    const { status, errors } = await bench.ask(query, variables);
    expect(status).toBe(400);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.message.length).toBeLessThan(600);
    expect(errors[0]?.extensions["code"]).toBe("BAD_REQUEST");
    expect(bench.calls).toEqual([]);
  });

  it("Unfit variables are refused with a suggestion", async () => {
    const { errors } = await bench.ask(AGENT, { context: { assetId: ["a"] } });
    expect(errors[0]?.message).toBe(
      'Variable "$context" got an invalid value; Field "assetId" is not defined by type "AgentContext". ' +
        'Did you mean "assetIds"?',
    );
  });
});

describe("the length of a text in a variable", () => {
  it("The length of a text in a variable is counted in characters, not in units of UTF-16", async () => {
    const query = "query ($s: String) { assets(search: $s) { nodes { id } } }";
    expect((await bench.ask(query, { s: "🦀".repeat(256) })).errors).toEqual([]);
    expect((await bench.ask(query, { s: "🦀".repeat(257) })).errors[0]?.message).toMatch(/256 characters/);
  });
});
