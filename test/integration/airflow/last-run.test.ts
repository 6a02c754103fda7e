/** How people find out that the last run of a DAG failed. */
import { expect, it, onTestFinished } from "vitest";

import { serveAirflow, TOKEN } from "../../support/airflow.ts";
import { startApp } from "../../support/app.ts";
import { runCommandHere } from "../../support/command-line.ts";
import { syncAll } from "../../support/datahub.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";

it("A DAG whose last run failed says so on the command line, and a question finds it", async () => {
  const running = await startApp({ env: { ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" } });
  onTestFinished(() => running.close());
  const tasks = [{ id: "load" }];
  const airflow = await serveAirflow({
    dags: [
      { id: "daily", lastRun: "failed", tasks },
      { id: "hourly", lastRun: "success", tasks },
    ],
  });
  const graphql = createGraphqlClient(running);
  const create = "mutation($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }";
  await graphql(create, { input: { type: "airflow", name: "af", options: { url: airflow.url, token: TOKEN } } });
  await syncAll(running);

  const env = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
  const show = async (...words: string[]) => (await runCommandHere(["show", ...words], env)).stdout;
  expect(await show("daily")).toMatch(/^last run +failed$/m);
  expect(JSON.parse(await show("hourly", "--json"))).toMatchObject({ meta: { last_run_state: "success" } });
  // Airflow tells it of DAGs alone.
  expect(await show("daily.load")).not.toContain("last run");

  const ask = "query($query: String!) { ask(query: $query) { answer readAs } }";
  const { data } = await graphql(ask, { query: "Which pipelines failed?" });
  expect(at(data, "ask")).toMatchObject({ readAs: "pipelines with failing checks" });
  expect(at(data, "ask", "answer")).toContain("Failing: `last run`");
});
