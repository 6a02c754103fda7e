/** What clients of DataHub post, over HTTP as they post it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { runCommandHere } from "../../support/command-line.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";
import { expectOf, hasRecordings, type Json, readRecording, recordings, syncAll } from "../../support/datahub.ts";

let service: RunningApp;
/** The service with the workspace of one test. */
let running: RunningApp;
let ask: RestClient;
let graphql: GraphqlClient;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
beforeEach(async () => {
  running = await service.openWorkspace();
  ask = createRestClient(running);
  graphql = createGraphqlClient(running);
});

async function post(path: string, body: unknown, method = "POST"): Promise<{ status: number; body: unknown }> {
  return ask(`/datahub${path}`, { method, body: JSON.stringify(body) });
}

/** The form in which the sink posts what the sink `file` writes. */
function toPosted(proposal: Json): Json {
  const { aspect, ...others } = proposal;
  const { json } = (aspect ?? {}) as { json?: unknown };
  if (json === undefined) return proposal;
  return { ...others, aspect: { contentType: "application/json", value: JSON.stringify(json) } };
}

/** Sends proposals in batches, and older events one by one; then all connectors are synced. */
async function send(proposals: readonly Json[], batch: number): Promise<number[]> {
  const events = proposals.filter((each) => "proposedSnapshot" in each);
  const others = proposals.filter((each) => !("proposedSnapshot" in each)).map(toPosted);
  const statuses: number[] = [];
  for (const { proposedSnapshot, systemMetadata } of events) {
    const { status } = await post("/entities?action=ingest", { entity: { value: proposedSnapshot }, systemMetadata });
    statuses.push(status);
  }
  for (let from = 0; from < others.length; from += batch) {
    const body = { proposals: others.slice(from, from + batch), async: "true" };
    statuses.push((await post("/aspects?action=ingestProposalBatch", body)).status);
  }
  await syncAll(running);
  return [...new Set(statuses)];
}

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,sales.${name},PROD)`;

const proposal = (entityUrn: string, aspectName: string, value: unknown, pipelineName?: string, lastObserved = 1) => ({
  entityType: "dataset",
  entityUrn,
  changeType: "UPSERT",
  aspectName,
  aspect: { contentType: "application/json", value: JSON.stringify(value) },
  systemMetadata: { lastObserved, ...(pipelineName === undefined ? {} : { pipelineName }) },
});

async function listAssets(): Promise<string[]> {
  const { data } = await graphql("{ assets(first: 200) { nodes { fqn } } }");
  const nodes = at(data, "assets", "nodes");
  return (Array.isArray(nodes) ? nodes : []).map((node) => String(at(node, "fqn"))).toSorted();
}

test("The handshake says what clients look for, to keys that may write", async () => {
  expect(await ask("/datahub/config")).toMatchObject({ status: 200, body: { noCode: "true" } });
  const reader = createRestClient({ ...running, token: await running.createToken(["read"]) });
  expect((await reader("/datahub/config")).status).toBe(403);
  const stranger = createRestClient({ ...running, token: "svc_live_wrong" });
  expect((await stranger("/datahub/config")).status).toBe(401);
});

test("Each pipeline has a connector of its name, and what names no pipeline has the connector datahub", async () => {
  const status = { removed: false };
  const sent = [
    proposal(dataset("a"), "status", status, "one"),
    proposal(dataset("b"), "status", status, "two"),
    proposal(dataset("c"), "status", status),
  ];
  expect(await send(sent, 10)).toEqual([200]);
  const { data } = await graphql("{ connectors(first: 10) { nodes { name type } } }");
  expect(at(data, "connectors", "nodes")).toEqual(["datahub", "one", "two"].map((name) => ({ name, type: "datahub" })));
  expect(await listAssets()).toEqual(["sales.a", "sales.b", "sales.c"]);
});

test("What is removed goes, in whatever order the proposals come", async () => {
  await send([proposal(dataset("a"), "status", { removed: true }, "one", 2)], 1);
  await send([proposal(dataset("a"), "status", { removed: false }, "one", 1)], 1);
  expect(await listAssets()).toEqual([]);
});

test("What a recipe does not send again stays, and all of it goes at once if the recipe says that it is removed", async () => {
  const names = ["a", "b", "c"];
  const say = (removed: boolean, lastObserved: number, said = names) =>
    send(
      said.map((name) => proposal(dataset(name), "status", { removed }, "one", lastObserved)),
      10,
    );
  await say(false, 1);
  await say(false, 2, ["a"]);
  await syncAll(running);
  expect(await listAssets()).toEqual(["sales.a", "sales.b", "sales.c"]);
  await say(true, 3);
  expect(await listAssets()).toEqual([]);
});

const checkpoint = (timestampMillis: number) => ({ timestampMillis, pipelineName: "shop", state: { payload: "…" } });

test("Of two values without a time, the one that came later counts", async () => {
  for (const description of ["b", "a"]) {
    await send([proposal(dataset("a"), "datasetProperties", { description }, "one", 0)], 1);
  }
  const { data } = await graphql('{ asset(fqn: "sales.a") { description } }');
  expect(at(data, "asset")).toEqual({ description: "a" });
});

test("A recipe reads back its last checkpoint", async () => {
  const urn = "urn:li:dataJob:(urn:li:dataFlow:(datahub,shop,prod),job)";
  const ofJob = (value: unknown) => ({ ...proposal(urn, "datahubIngestionCheckpoint", value), entityType: "dataJob" });
  for (const time of [1, 3, 2]) {
    await post("/aspects?action=ingestProposal", { proposal: ofJob(checkpoint(time)), async: "false" });
  }
  const read = () =>
    post("/aspects?action=getTimeseriesAspectValues", { urn, aspect: "datahubIngestionCheckpoint", limit: 1 });
  const newest = { aspect: { contentType: "application/json", value: JSON.stringify(checkpoint(3)) } };
  expect(await read()).toMatchObject({ status: 200, body: { value: { values: [newest] } } });
  await syncAll(running);
  expect(await read()).toMatchObject({ status: 200, body: { value: { values: [newest] } } });
  expect(await listAssets()).toEqual([]);
});

test.each([{}, { urn: 1, aspect: "status" }, { urn: dataset("a") }, []])(
  "A question for a value that does not name it is refused: %j",
  async (body) => {
    const answer = await post("/aspects?action=getTimeseriesAspectValues", body);
    expect([answer.status, at(answer.body as never, "details", 0, "field")]).toEqual([400, "urn"]);
  },
);

test("What is not kept is accepted, and told at the connector with its count and an example", async () => {
  const sent = ["a", "b"].map((name) => proposal(dataset(name), "browsePathsV2", { path: [] }, "one"));
  expect(await send(sent, 10)).toEqual([200]);
  const { data } = await graphql(
    "{ connectors(first: 1) { nodes { health unkept { entity aspect why count example } lastSync { errors { code severity message } } } } }",
  );
  const message = `2 proposals about dataset browsePathsV2 came and are not kept, such as that of ${dataset("a")}.`;
  const unkept = [{ entity: "dataset", aspect: "browsePathsV2", why: "unknown", count: 2, example: dataset("a") }];
  expect(at(data, "connectors", "nodes")).toEqual([
    { health: "healthy", unkept, lastSync: { errors: [{ code: "not_kept", severity: "warning", message }] } },
  ]);
});

test("What could not be read is told until a later value of it can be read", async () => {
  const values = ["no object", { description: "Orders" }];
  const told: unknown[] = [];
  for (const [index, value] of values.entries()) {
    await send([proposal(dataset("a"), "datasetProperties", value, "one", index + 1)], 1);
    const { data } = await graphql(
      "{ connectors(first: 1) { nodes { unkept { why count } lastSync { errors { code } } } } }",
    );
    told.push(at(data, "connectors", "nodes"));
  }
  const errors = [{ code: "malformed_proposal" }];
  expect(told).toEqual([
    [{ unkept: [{ why: "malformed", count: 1 }], lastSync: { errors } }],
    [{ unkept: [], lastSync: { errors: [] } }],
  ]);
});

test("What DataHub says about a recipe's run is counted at the connector of the recipe", async () => {
  const own = (urn: string, aspect: string, value: unknown) => ({ ...proposal(urn, aspect, value), entityType: "" });
  const [source, run] = ["urn:li:dataHubIngestionSource:cli-1", "urn:li:dataHubExecutionRequest:hive-1"];
  const recipe = JSON.stringify({ pipeline_name: "one" });
  const sent = [
    own(source, "dataHubIngestionSourceInfo", { name: "[CLI] hive [one]", config: { recipe } }),
    own(run, "dataHubExecutionRequestInput", { task: "CLI Ingestion", args: { recipe } }),
    own("urn:li:dataJob:(urn:li:dataFlow:(datahub,one,prod),job)", "datahubIngestionRunSummary", {}),
  ];
  await send([...sent, proposal(dataset("a"), "status", { removed: false }, "one")], 10);
  const end = (result: object, lastObserved: number) =>
    send([{ ...own(run, "dataHubExecutionRequestResult", result), systemMetadata: { lastObserved } }], 10);
  await end({ status: "SUCCESS" }, 1);

  const { data } = await graphql("{ connectors(first: 9) { nodes { name lastSync { errors { object } } } } }");
  const objects = sent.map(({ entityUrn, aspectName }) => `${entityUrn.split(":")[2]} ${aspectName}`).toSorted();
  const [connector, ...others] = at(data, "connectors", "nodes") as Json[];
  const errors = at(connector as never, "lastSync", "errors") as Json[];
  expect({ ...connector, lastSync: errors.map(({ object }) => object).toSorted(), others }).toEqual({
    name: "one",
    lastSync: objects,
    others: [],
  });
});

test("A recipe whose last run failed makes its connector degraded, with the reasons, until a run succeeds", async () => {
  const recipe = JSON.stringify({ pipeline_name: "one" });
  const tell = async (run: string, time: number, result: object) => {
    const entityUrn = `urn:li:dataHubExecutionRequest:${run}`;
    await send([proposal(entityUrn, "dataHubExecutionRequestInput", { args: { recipe } }, undefined, time)], 1);
    await send([proposal(entityUrn, "dataHubExecutionRequestResult", result, undefined, time)], 1);
    const { data } = await graphql(
      "{ connectors(first: 2) { nodes { name health lastSync { errors { code severity message } } } } }",
    );
    const [{ name, health, lastSync } = {}, ...others] = at(data, "connectors", "nodes") as Json[];
    const errors = at(lastSync as never, "errors") as Json[];
    return {
      name,
      health,
      others: others.length,
      errors: errors.filter(({ code }) => String(code).startsWith("recipe")),
    };
  };
  const failures = [{ title: "No access", message: "The role may not read", context: ["db.sales"] }, "… sampled of 9"];
  const report = { source: { type: "snowflake", report: { failures } }, sink: { report: { failures: [] } } };
  const structuredReport = { type: "CLI_INGEST", serializedValue: JSON.stringify(report) };
  const message = "The last run of the recipe failed: No access: The role may not read: db.sales; … sampled of 9";
  const failed = { name: "one", health: "degraded", others: 0 };
  const error = { code: "recipe_failed", severity: "error" };
  expect(await tell("b", 1, { status: "FAILURE", structuredReport })).toEqual({
    ...failed,
    errors: [{ ...error, message }],
  });
  const unread = "The last run of the recipe failed: its report gives no reason";
  expect(await tell("a", 2, { status: "FAILURE" })).toEqual({ ...failed, errors: [{ ...error, message: unread }] });
  expect(await tell("c", 3, { status: "SUCCESS" })).toEqual({ ...failed, health: "healthy", errors: [] });
});

test("A pipeline whose name no connector may have gets a legal one, always the same, and shows its own", async () => {
  const names = ["Snowflake: sales (prod)", "Snowflake: sales [prod]", "x".repeat(65), "📦", " "];
  const all = names.map((name) => proposal(dataset("a"), "status", { removed: false }, name));
  expect(await send([...all, ...all], 100)).toEqual([200]);
  const { data } = await graphql("{ connectors(first: 9) { nodes { name pipelineName } } }");
  const shown = at(data, "connectors", "nodes") as { name: string; pipelineName: string }[];
  const slugs = shown.map(({ name, pipelineName }) => [name.replace(/[0-9a-f]{8}$/, "#"), pipelineName]);
  expect(slugs.toSorted()).toEqual(
    [
      ["#", " "],
      ["#", "📦"],
      ["Snowflake-sales-prod-#", "Snowflake: sales (prod)"],
      ["Snowflake-sales-prod-#", "Snowflake: sales [prod]"],
      [`${"x".repeat(50)}-#`, "x".repeat(65)],
    ].toSorted(),
  );
});

test("Entities of the OpenAPI form become the same assets", async () => {
  const entity = { urn: dataset("a"), datasetProperties: { value: { name: "a", description: "All orders" } } };
  expect((await post("/openapi/v3/entity/dataset?async=false", [entity])).status).toBe(200);
  await syncAll(running);
  const { data } = await graphql('{ asset(fqn: "sales.a") { description } }');
  expect(at(data, "asset")).toEqual({ description: "All orders" });
});

test("What one recipe says about columns is shown beside the schema that another one sent", async () => {
  const fields = ["id", "amount"].map((fieldPath) => ({ fieldPath, nativeDataType: "numeric" }));
  const written = [
    { fieldPath: "amount", description: "In euros", globalTags: { tags: [{ tag: "urn:li:tag:money" }] } },
  ];
  await send([proposal(dataset("a"), "editableSchemaMetadata", { editableSchemaFieldInfo: written }, "csv")], 1);
  await send([proposal(dataset("a"), "schemaMetadata", { fields, primaryKeys: [] }, "hive")], 1);
  const { data } = await graphql('{ asset(fqn: "sales.a") { columns { name dataType description tags } } }');
  const columns = [
    { name: "amount", dataType: "numeric", description: "In euros", tags: ["money"] },
    { name: "id", dataType: "numeric", description: null, tags: [] },
  ];
  expect(at(data, "asset", "columns")).toEqual(expect.arrayContaining(columns));
});

test("Patches of the OpenAPI form change what is there", async () => {
  const value = { name: "a", description: "All orders" };
  await post("/openapi/v3/entity/dataset", [{ urn: dataset("a"), datasetProperties: { value } }]);
  const patch = [{ op: "add", path: "/tags/urn:li:tag:pii", value: { tag: "urn:li:tag:pii" } }];
  const changes = [{ urn: dataset("a"), globalTags: { value: { patch, arrayPrimaryKeys: { tags: ["tag"] } } } }];
  expect((await post("/openapi/v3/entity/dataset?async=false", changes, "PATCH")).status).toBe(200);
  await syncAll(running);
  const { data } = await graphql('{ asset(fqn: "sales.a") { description tags } }');
  expect(at(data, "asset")).toEqual({ description: "All orders", tags: ["pii"] });
});

const removals: Record<string, (urn: string) => Promise<{ status: number }>> = {
  "the action delete": (urn) => post("/entities?action=delete", { urn }),
  "DELETE of the OpenAPI form": (urn) =>
    ask(`/datahub/openapi/v3/entity/dataset/${encodeURIComponent(urn)}`, { method: "DELETE" }),
  "a status without a pipeline": (urn) =>
    post("/aspects/?action=ingestProposal", {
      proposal: { ...proposal(urn, "status", { removed: true }), systemMetadata: null },
    }),
};

test.each(Object.entries(removals))(
  "An entity removed by %s goes from all recipes, until one finds it again",
  async (_way, remove) => {
    const names = ["one", "two"];
    const say = (lastObserved: number) =>
      send(
        names.map((name) => proposal(dataset("a"), "status", { removed: false }, name, lastObserved)),
        1,
      );
    await say(1);
    expect((await remove(dataset("a"))).status).toBe(200);
    await syncAll(running);
    expect(await listAssets()).toEqual([]);
    const { data } = await graphql("{ connectors(first: 9) { nodes { name } } }");
    expect(at(data, "connectors", "nodes")).toEqual(names.map((name) => ({ name })));
    await say(Date.now() + 1_000);
    expect(await listAssets()).toEqual(["sales.a"]);
  },
);

test.each([{}, { urn: 1 }, { urn: "orders" }, []])("A removal that names no urn is refused: %j", async (body) => {
  const answer = await post("/entities?action=delete", body);
  expect([answer.status, at(answer.body as never, "details", 0, "field")]).toEqual([400, "urn"]);
});

test("Who asks for aspects is told that there are none", async () => {
  const path = encodeURIComponent(dataset("a"));
  await post("/aspects?action=ingestProposal", { proposal: proposal(dataset("a"), "status", { removed: false }) });
  for (const each of [
    `/aspects/${path}?aspect=status&version=0`,
    `/entitiesV2/${path}`,
    `/openapi/v3/entity/dataset/${path}`,
  ]) {
    expect((await ask(`/datahub${each}`)).status).toBe(404);
  }
  expect(await post("/openapi/v3/entity/dataset/batchGet", [{ urn: dataset("a") }])).toMatchObject({ body: [] });
  expect((await post("/openapi/v3/entity/dataset/batchGet", { urn: "a" })).status).toBe(400);
});

async function findNamed(condition: object, entity = "domain") {
  const answer = await post("/entities?action=search", {
    input: "*",
    entity,
    start: 0,
    count: 10,
    filter: { or: [{ and: [{ field: "name", condition: "EQUAL", ...condition }] }] },
  });
  const { numEntities, entities } = at(answer.body as never, "value") as Json;
  return [answer.status, numEntities, (entities as { entity: string }[]).map((each) => each.entity)];
}

test("A recipe finds the urn of a domain by its name or its id, as DataHub's client looks for it", async () => {
  const domain = (id: string, name: string, removed: boolean) => {
    const urn = `urn:li:domain:${id}`;
    return [proposal(urn, "domainProperties", { name }, "one"), proposal(urn, "status", { removed }, "two")];
  };
  await send([...domain("7", "Sales", false), ...domain("8", "Sales", true), ...domain("sales", "Other", false)], 10);
  await send([proposal("urn:li:glossaryTerm:9", "glossaryTermInfo", { name: "Margin" }, "one")], 1);
  expect(await findNamed({ values: ["Sales"] })).toEqual([200, 1, ["urn:li:domain:7"]]);
  expect(await findNamed({ value: "sales" })).toEqual([200, 2, ["urn:li:domain:sales", "urn:li:domain:7"]]);
  expect(await findNamed({ value: "Margin" }, "glossaryTerm")).toEqual([200, 1, ["urn:li:glossaryTerm:9"]]);
  expect(await findNamed({ value: "Margin" })).toEqual([200, 0, []]);
  expect(await findNamed({ value: "a" }, "dataProduct")).toEqual([200, 0, []]);
  expect(await post("/entities?action=search", {})).toMatchObject({ status: 200, body: { value: { numEntities: 0 } } });
});

test("REST and the command line list the most used first, as GraphQL does", async () => {
  const used = (name: string, uniqueUserCount: number) =>
    proposal(dataset(name), "datasetUsageStatistics", { timestampMillis: Date.now(), uniqueUserCount }, "one");
  await send([used("a", 2), used("b", 9), proposal(dataset("c"), "status", { removed: false }, "one")], 10);
  const names = ["sales.b", "sales.a", "sales.c"];
  const { body } = await ask("/api/v1/catalog/assets?sort=usage");
  expect((at(body, "data") as Json[]).map(({ fqn }) => fqn)).toEqual(names);
  const env = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
  const { stdout } = await runCommandHere(["search", "--sort", "usage"], env);
  expect(
    stdout
      .split("\n")
      .slice(1, 4)
      .map((line) => line.split(/ {2,}/)[1]),
  ).toEqual(names);
  expect(stdout).toMatch(/sales\.b .*9 people/);
  const wrong = await ask("/api/v1/catalog/assets?sort=size");
  expect([wrong.status, at(wrong.body, "details", 0, "field")]).toEqual([400, "sort"]);
});

test("Usage and older events in batches become what their newer forms do, and events of the platform are told", async () => {
  const metrics = { users: [{ user: "urn:li:corpuser:ada", count: 3 }], totalSqlQueries: 4 };
  const bucket = { bucket: Date.now(), duration: "DAY", resource: dataset("a"), metrics };
  const snapshot = { urn: dataset("b"), aspects: [{ "com.linkedin.common.Status": { removed: false } }] };
  const entities = [{ value: { "com.linkedin.metadata.snapshot.DatasetSnapshot": snapshot } }];
  const answers = [
    await post("/usageStats?action=batchIngest", { buckets: [bucket] }),
    await post("/entities?action=ingestBatch", { entities }),
    await post("/platform?action=producePlatformEvent", { name: "entityChangeEvent", event: { value: "" } }),
    await ask("/datahub/config/"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await syncAll(running);
  const { data } = await graphql(
    "{ assets(first: 9) { nodes { fqn usage { users queries } } } connectors(first: 9) { nodes { unkept { entity aspect why } } } }",
  );
  expect(at(data, "assets", "nodes")).toEqual([
    { fqn: "sales.a", usage: { users: 1, queries: 4 } },
    { fqn: "sales.b", usage: null },
  ]);
  const unkept = [{ entity: "platformEvent", aspect: "entityChangeEvent", why: "unknown" }];
  expect(at(data, "connectors", "nodes")).toEqual([{ unkept }]);
});

test("What the service does not do for DataHub's client is not found", async () => {
  for (const path of ["/api/graphql", "/runs?action=rollback", "/openapi/v1/entities"])
    expect((await post(path, {})).status).toBe(404);
});

test("A body beyond 16 MiB is refused, and an unknown action too", async () => {
  const large = proposal(dataset("a"), "status", { note: "x".repeat(16 * 1024 ** 2) });
  expect((await post("/aspects?action=ingestProposal", { proposal: large })).status).toBe(413);
  for (const path of ["aspects", "entities", "usageStats", "platform"])
    expect((await post(`/${path}?action=other`, {})).status).toBe(400);
});

/** All but columns, with the times of their last changes. */
async function list() {
  const { data } = await graphql("{ assets(first: 200) { nodes { type fqn updatedAt } } }");
  const nodes = at(data, "assets", "nodes") as Json[];
  return nodes.filter(({ type }) => type !== "column");
}

describe.skipIf(!hasRecordings)("recorded outputs of DataHub, skipped without ../shared/data", () => {
  test.for(recordings)("%s is accepted, and a second send changes nothing", async (name) => {
    const proposals = readRecording(name);
    const expected = expectOf(proposals);

    expect(await send(proposals, 7)).toEqual(proposals.length === 0 ? [] : [200]);
    const first = await list();
    expect(first).toHaveLength(expected.assets.size);

    expect(await send(proposals.toReversed(), 50)).toEqual([200]);
    expect(await list()).toEqual(first);
  });
});
