/** An Airflow whose OpenLineage events come to the catalog too: its DAGs may be there twice. */
import { expect, it, onTestFinished } from "vitest";

import { serveAirflow, TOKEN } from "../../support/airflow.ts";
import { startApp } from "../../support/app.ts";
import { syncAll } from "../../support/datahub.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { facet, pg, runEvent } from "../../support/lineage-events.ts";
import { at, createRestClient } from "../../support/rest-client.ts";

const CONTENTS = { dags: ["daily", "load"].map((id) => ({ id, tasks: [{ id: "run" }] })), assets: [] };

/** A service that reads an Airflow, and got an event of a job from the namespace `nightly`. */
async function open(job: string, integration: string) {
  const running = await startApp({
    env: { ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" },
    overrides: { countdown: () => () => {} },
  });
  onTestFinished(() => running.close());
  const airflow = await serveAirflow(CONTENTS);
  const jobType = facet({ integration, jobType: "DAG", processingType: "BATCH" });
  const event = runEvent({ job, jobFacets: { jobType }, outputs: [pg("orders")] });
  await createRestClient(running)("/api/v1/lineage", { method: "POST", body: JSON.stringify(event) });
  const ask = createGraphqlClient(running);
  const create = "mutation($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }";
  const input = { type: "airflow", name: "scheduler", options: { url: airflow.url, token: TOKEN } };
  const id = at((await ask(create, { input })).data, "createConnector", "connector", "id");
  /** What the next sync reports, and the names of all pipelines afterwards. */
  const sync = async () => {
    await syncAll(running);
    const errors = "lastSync { errors { code message severity } }";
    const query = `query($id: ID!) { connector(id: $id) { ${errors} } assets(types: [pipeline]) { nodes { fqn } } }`;
    const { data } = await ask(query, { id });
    const nodes = at(data, "assets", "nodes");
    const names = (Array.isArray(nodes) ? nodes : []).map((node) => at(node, "fqn"));
    return { errors: at(data, "connector", "lastSync", "errors"), names };
  };
  return { ask, id, sync };
}

it("A sync of Airflow names the option that makes one pipeline of a DAG and its events", async () => {
  const { ask, id, sync } = await open("load", "AIRFLOW");
  const { errors, names } = await sync();
  expect(names).toEqual(["daily", "daily.run", "load", "load.run", "nightly.load"]);
  expect(errors).toEqual([
    {
      code: "doubled_by_events",
      severity: "warning",
      message:
        "DAGs may be in the catalog twice: load is also a pipeline of OpenLineage events of Airflow, in the namespace nightly. " +
        "If these are the events of this Airflow, set the connector's option openlineage_namespace=nightly, and sync it with " +
        "--confirm-removal, because its DAGs and tasks then get the names of their events.",
    },
  ]);
  const edit = "mutation($input: UpdateConnectorInput!) { updateConnector(input: $input) { connector { id } } }";
  await ask(edit, { input: { id, options: { openlineage_namespace: "nightly" } } });
  const held = await sync();
  expect(held.errors).toMatchObject([
    {
      code: "sweep_held",
      message: expect.stringMatching(/run: tributary sync scheduler --confirm-removal$/) as string,
    },
  ]);
  const confirm = "mutation($input: TriggerSyncInput!) { triggerSync(input: $input) { isRepeat } }";
  await ask(confirm, { input: { connectorId: id, confirmRemoval: true } });
  const whole = ["nightly.daily", "nightly.daily.run", "nightly.load", "nightly.load.run"];
  expect(await sync()).toEqual({ errors: [], names: whole });
});

it("A sync of Airflow warns of no job of another tool that has the name of a DAG", async () => {
  const { sync } = await open("load", "SPARK");
  expect((await sync()).errors).toEqual([]);
});

it("A sync of Airflow warns of a DAG whatever the case of the integration in its events", async () => {
  const { sync } = await open("load", "Airflow");
  expect((await sync()).errors).toMatchObject([{ code: "doubled_by_events" }]);
});
