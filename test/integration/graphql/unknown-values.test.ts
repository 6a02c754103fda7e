import { getNamedType, isNonNullType, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { schema } from "../../../src/graphql/schema.ts";
import { EMPTY_IF_UNKNOWN } from "../../../src/rest/absent-values.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";
import { present } from "../../support/present.ts";

const DEFINITION = { kind: "simple", displayName: "Orders", expression: "count(*)", grain: "" } as const;

let running: RunningApp;
let graphql: GraphqlClient;
let rest: RestClient;
const ids = { bare: "", metric: "", linked: "", board: "", scripted: "" };
beforeAll(async () => {
  running = await startApp();
  graphql = createGraphqlClient(running);
  rest = createRestClient(running);
  const { id: workspace } = present(await running.app.metadata.workspaces.findByName("default"));
  const bare = nodeOf(workspace, "model", "shop.bare", { sql: "select 1" });
  const column = columnOf(workspace, bare, "a", 0);
  const linked = nodeOf(workspace, "dashboard", "bi.linked", { url: "https://bi.example.com/d/1?tab=2" });
  const scripted = nodeOf(workspace, "dashboard", "bi.scripted", { url: "javascript:alert(1)" });
  const board = nodeOf(workspace, "dashboard", "bi.board", { url: "not an address" });
  const metric = nodeOf(workspace, "metric", "shop.orders", {
    metric: { ...DEFINITION, dimensions: [], filters: [] },
    certification: "certified",
  });
  const stamp = stampOf(workspace, "shop", 1);
  await running.app.graph.writeNodes(stamp, "all", [bare, column, linked, scripted, board, metric]);
  await running.app.graph.writeEdges(stamp, "all", [edgeOf(bare, linked, "powers"), edgeOf(bare, metric, "defines")]);
  Object.assign(ids, {
    bare: bare.id,
    metric: metric.id,
    linked: linked.id,
    board: board.id,
    scripted: scripted.id,
  });
});
afterAll(() => running.close());

describe("unknown values", () => {
  it("The unknown values of an asset and its columns are null in GraphQL, and empty text in REST", async () => {
    const { data, codes } = await graphql(
      `
        query ($id: ID!) {
          asset(id: $id) {
            description
            owner
            ownerName
            materialization
            dataType
            columns {
              dataType
              description
              owner
            }
          }
        }
      `,
      { id: ids.bare },
    );
    expect(codes).toEqual([]);
    expect(data).toEqual({
      asset: {
        description: null,
        owner: null,
        ownerName: null,
        materialization: null,
        dataType: null,
        columns: [{ dataType: null, description: null, owner: null }],
      },
    });
    expect((await rest(`/api/v1/catalog/assets/${ids.bare}`)).body).toMatchObject({
      description: "",
      owner: "",
      columns: [{ name: "a", type: "", description: "" }],
    });
    const { body } = await rest("/api/v1/catalog/assets?search=bare");
    expect(body).toMatchObject({
      data: [{ name: "bare", description: "", owner: "" }],
      pagination: { next_cursor: null },
    });
  });

  it("The unknown values of a metric are null in GraphQL, and empty text in REST, except who certified it", async () => {
    const query = "query ($id: ID!) { metric(id: $id) { owner certifiedBy definition { grain } } }";
    expect((await graphql(query, { id: ids.metric })).data).toEqual({
      metric: { owner: null, certifiedBy: null, definition: { grain: null } },
    });
    expect((await rest(`/api/v1/metrics/${ids.metric}`)).body).toMatchObject({
      owner: "",
      certified_by: null,
      definition: { grain: "" },
    });
  });

  it("The unknown values of an impact are null in GraphQL, and empty text in REST", async () => {
    const query = `query ($id: ID!) { impact(id: $id, changeType: deprecate) {
      affected { owner ownerName evidence { transformation expression } } owners { owner ownerName } } }`;
    const unknown = { owner: null, ownerName: null, evidence: [{ transformation: null, expression: null }] };
    expect((await graphql(query, { id: ids.bare })).data).toEqual({
      impact: { affected: [unknown, unknown], owners: [{ owner: null, ownerName: null }] },
    });
    const body = JSON.stringify({ asset_id: ids.bare, change_type: "deprecate" });
    const answer = await rest("/api/v1/lineage/impact", { method: "POST", body });
    const empty = { owner: "", evidence: [{ kind: "DIRECT", level: "asset", transformation: "", expression: "" }] };
    expect(answer.body).toMatchObject({ affected: [empty, empty] });
  });

  it("Each field for which REST answers empty text is nullable in the GraphQL schema", () => {
    for (const place of EMPTY_IF_UNKNOWN) {
      const [type = "", name = ""] = place.split(".");
      const parent = schema.getType(type);
      const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
      expect([place, field && isNonNullType(field.type)]).toEqual([place, false]);
      expect(["String", "EmailAddress"]).toContain(field && getNamedType(field.type).name);
    }
  });
});

describe("an address", () => {
  it("The address of a page is shown, unless it is malformed or would run a script", async () => {
    const query = "query ($id: ID!) { asset(id: $id) { url } }";
    const urlOf = async (id: string) => (await graphql(query, { id })).data;
    expect(await urlOf(ids.linked)).toEqual({ asset: { url: "https://bi.example.com/d/1?tab=2" } });
    expect(await urlOf(ids.board)).toEqual({ asset: { url: null } });
    expect(await urlOf(ids.scripted)).toEqual({ asset: { url: null } });
  });

  it("A filter by owner checks the owner's address", async () => {
    const reply = await graphql("query ($owner: EmailAddress) { assets(owner: $owner) { nodes { id } } }", {
      owner: "nobody in particular",
    });
    expect(reply.codes).toEqual(["BAD_REQUEST"]);
    expect(reply.message).toContain("not a valid email address");
  });
});
