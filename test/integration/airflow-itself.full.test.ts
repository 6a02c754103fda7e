/**
 * Airflow itself runs three DAGs. Its provider of OpenLineage sends events to the service, and the connector of Airflow
 * reads its API: both mean the same pipelines. Skipped with a message where Airflow cannot be installed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findAirflow, startAirflow } from "../support/airflow-programs.ts";
import { startApp } from "../support/app.ts";
import { syncAll } from "../support/datahub.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { at, type Json } from "../support/rest-client.ts";

const LIMIT = 1_200_000;
const EVENTS_MS = 60_000;
const DAGS = join(import.meta.dirname, "../support/airflow-dags.py");

const namesOf = (list: Json, key: string): unknown[] => {
  return (Array.isArray(list) ? list : []).map((item: Json) => at(item, key)).toSorted();
};

test(
  "What Airflow's API says of a DAG or task and what its events say become one pipeline",
  { timeout: LIMIT },
  async ({ skip, signal, onTestFinished }) => {
    const { python, missing } = await findAirflow();
    if (python === null) return skip(missing);
    const folder = await mkdtemp(join(tmpdir(), "tributary-airflow-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const running = await startApp({ env: { ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" } });
    onTestFinished(() => running.close());
    const graphql = createGraphqlClient(running);
    /** Pipelines and tables with what each reads, and who states it. */
    const read = async (): Promise<Record<string, unknown>> => {
      const fields = "type platform fqn owner tags upstream { nodes { fqn } } identity { sources { connector } }";
      const { data } = await graphql(`{ assets(first: 50, types: [pipeline, table]) { nodes { ${fields} } } }`);
      const nodes = at(data, "assets", "nodes");
      const entries = (Array.isArray(nodes) ? nodes : []).map((node: Json) => [
        `${String(at(node, "platform"))} ${String(at(node, "fqn"))}`,
        {
          from: namesOf(at(node, "upstream", "nodes"), "fqn"),
          by: namesOf(at(node, "identity", "sources"), "connector"),
          ...(at(node, "owner") === null ? {} : { owner: at(node, "owner") }),
          ...(at(node, "tags", 0) === undefined ? {} : { tags: at(node, "tags") }),
        },
      ]);
      return Object.fromEntries(entries);
    };

    await using airflow = await startAirflow(python, { folder, dags: DAGS, lineageTo: running, signal });
    await airflow.run(["load_orders", "finance.export"], ["load_orders", "finance.export", "report"]);
    const options = { url: airflow.url, ...airflow.user, openlineage_namespace: "default" };
    const create = "mutation($input: CreateConnectorInput!) { createConnector(input: $input) { connector { name } } }";
    const { data } = await graphql(create, { input: { type: "airflow", name: "scheduler", options } });
    expect(data).toEqual({ createConnector: { connector: { name: "scheduler" } } });
    await syncAll(running);

    const by = ["openlineage", "scheduler"];
    const [orders, totals] = ["shop.raw.orders", "shop.mart.totals"];
    const [load, report, write] = ["default.load_orders", "default.report", "default.finance.export"];
    await expect.poll(read, { timeout: EVENTS_MS }).toEqual({
      // The DAG is named by one task as its owner, and its tag is that of its tasks in events.
      "openlineage default.load_orders": { by, from: [], owner: "ines@example.com", tags: ["nightly"] },
      "openlineage default.load_orders.extract": { by, from: [], owner: "ines@example.com", tags: ["nightly"] },
      "openlineage default.load_orders.sum_up": { by, from: [orders], owner: "ines@example.com", tags: ["nightly"] },
      "openlineage default.finance.export": { by, from: [] },
      "openlineage default.finance.export.files.write": { by, from: [totals] },
      // Airflow's API says that the table starts it.
      "openlineage default.report": { by, from: [orders] },
      "openlineage default.report.send": { by, from: [orders] },
      [`postgres ${orders}`]: { by, from: [load, `${load}.extract`] },
      [`postgres ${totals}`]: { by: ["openlineage"], from: [load, `${load}.sum_up`] },
      "postgres shop.mart.report": { by: ["openlineage"], from: [report, `${report}.send`] },
      "file /exports/totals.csv": { by, from: [write, `${write}.files.write`] },
    });
  },
);
