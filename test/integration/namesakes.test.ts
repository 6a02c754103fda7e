/** Assets of one fully qualified name: nobody is told of one as if there were no other. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { nodeId } from "../../src/catalog/identity.ts";
import { toWorkspaceName } from "../../src/ids.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { nodeOf, stampOf } from "../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { callTool, connectByHttp } from "../support/mcp.ts";
import { present } from "../support/present.ts";
import { at } from "../support/rest-client.ts";

const FQN = "shop.app.orders";

let running: RunningApp;
let client: GraphqlClient;
let [main, eu] = ["", ""];
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  const { id: ws } = present(await running.app.metadata.workspaces.findByName("default"));
  const ref = { platform: "postgres", type: "table", parts: FQN.split(".") } as const;
  const inInstance = (instance: string) => {
    const id = nodeId(toWorkspaceName("default"), { ...ref, instance });
    return { ...nodeOf(ws, "table", FQN, { instance }), id };
  };
  const board = nodeOf(ws, "dashboard", "sales.board", { name: "Sales of today" });
  [main, eu] = [inInstance("").id, inInstance("eu").id];
  await running.app.graph.writeNodes(stampOf(ws, "wh", 1), "all", [inInstance(""), board]);
  await running.app.graph.writeNodes(stampOf(ws, "replica", 2), "all", [inInstance("eu")]);
});
afterAll(() => running.close());

const told = () => [
  `${FQN} (table on postgres; held by wh; id ${main})`,
  `${FQN} (table on postgres; instance eu; held by replica; id ${eu})`,
];
const tellsBoth = (text: unknown) => told().map((each) => String(text).includes(each));
const run = (...args: string[]) => runCommandHere(args, { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token });

it("A full name that two assets have is refused in GraphQL, with what tells them apart", async () => {
  for (const query of [
    `{ asset(fqn: "${FQN}") { id } }`,
    `{ nodesByFqn(fqns: ["sales.board", "${FQN}"]) { id } }`,
    `{ impact(fqn: "${FQN}", changeType: deprecate) { truncated } }`,
    `{ causes(fqn: "${FQN}", first: 1) { total } }`,
  ]) {
    const { message } = await client(query);
    expect([query, ...tellsBoth(message)]).toEqual([query, true, true]);
  }
  expect((await client(`{ asset(fqn: "${FQN}", type: dashboard) { id } }`)).data).toEqual({ asset: null });
});

it("An answer in words says which one of two assets with one full name it is about, and which one it is not", async () => {
  const ask = `query ($query: String!) { ask(query: $query) { answer citations { assetId snippet } } }`;
  const apart = { [main]: `(held by \`wh\`, id \`${main}\`)`, [eu]: `(held by \`replica\`, id \`${eu}\`)` };
  for (const query of [`Who owns ${FQN}?`, "Who owns orders?", "Which tables have no owner?"]) {
    const { data } = await client(ask, { query });
    const answer = String(at(data, "ask", "answer"));
    expect([query, ...Object.values(apart).map((each) => answer.includes(each))]).toEqual([query, true, true]);
    expect(at(data, "ask", "citations", 0, "snippet")).toMatch(/^table shop\.app\.orders \(held by /);
  }
});

it("A full name that two assets have is refused by the tool of agents", async () => {
  const agent = await connectByHttp(running);
  const answer = await callTool(agent, "get_assets", { names: [FQN] }).catch(String);
  await agent.close();
  expect(tellsBoth(answer)).toEqual([true, true]);
});

it("Lists on the command line add the ids of assets of one name, and the title of what is named by a number", async () => {
  const { stdout } = await run("search");
  expect(stdout).toContain(`${FQN} (id ${main})`);
  expect(stdout).toContain(`${FQN} (id ${eu})`);
  expect(stdout).toMatch(/dashboard +sales\.board “Sales of today” /);
});

it("A name that two assets have is refused on the command line, and the id of one is taken", async () => {
  for (const name of [FQN, "orders"]) {
    const { code, stderr } = await run("show", name);
    expect([name, code, ...tellsBoth(stderr)]).toEqual([name, 2, true, true]);
  }
  const { code, stdout } = await run("show", eu);
  expect([code, stdout]).toEqual([0, expect.stringContaining("replica")]);
  expect(at((await client(`{ asset(id: "${eu}") { identity { instance } } }`)).data, "asset", "identity")).toEqual({
    instance: "eu",
  });
});
