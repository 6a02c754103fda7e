import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

const FIELDS = "fragment F on Viewer { workspaceName mayManageKeys }";
const ALL = { workspaceName: "default", mayManageKeys: false };

describe("@skip and @include", () => {
  let bench: GraphqlBench;
  beforeAll(async () => {
    bench = await openGraphqlBench();
  });
  afterAll(() => bench.close());

  it.each([
    ["a fragment that is spread twice, once left out", "{ viewer { ...F @skip(if: $yes) ...F } }", ALL],
    ["a fragment that is spread twice, once not taken in", "{ viewer { ...F @include(if: $no) ...F } }", ALL],
    ["a fragment that is left out", "{ viewer { workspaceName ...F @skip(if: $yes) } }", { workspaceName: "default" }],
    [
      "a field",
      "{ viewer { workspaceName @skip(if: $no) mayManageKeys @include(if: $no) } }",
      { workspaceName: "default" },
    ],
    ["a group of fields", "{ viewer { workspaceName ... @include(if: $yes) { mayManageKeys } } }", ALL],
  ])("@skip and @include work on %s, and lose nothing", async (_what, selection, viewer) => {
    const fragments = selection.includes("...F") ? FIELDS : "";
    const yes = selection.includes("$yes") ? "$yes: Boolean!" : "";
    const no = selection.includes("$no") ? "$no: Boolean = false" : "";
    const { data, errors } = await bench.ask(`query (${yes} ${no}) ${selection} ${fragments}`, { yes: true });
    expect({ data, errors }).toEqual({ data: { viewer }, errors: [] });
  });

  it("@skip and @include refuse a condition that is null", async () => {
    const query = "query ($no: Boolean = false) { viewer { workspaceName @skip(if: $no) } }";
    const { errors } = await bench.ask(query, { no: null });
    expect(errors.length).toBeGreaterThan(0);
  });
});
