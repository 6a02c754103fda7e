/** What a sync of Airflow 2 and 3 writes to the catalog. */
import { describe, expect, it } from "vitest";

import { type FakeContents, serveAirflow, TOKEN, USER, type Version } from "../../support/airflow.ts";
import { openCrawls } from "../../support/airflow-crawl.ts";
import { DAY_MS } from "../../support/clock.ts";
import { atDepth } from "../../support/depth.ts";
import { present } from "../../support/present.ts";
import { writeDbtProject } from "../../support/small-dbt-project.ts";

const ORDERS = "postgres://db.example.com:5432/shop/raw/orders";
const REVENUE = "postgres://db.example.com:5432/shop/marts/revenue";

const SALES: FakeContents = {
  dags: [
    {
      id: "load_orders",
      description: "Loads orders.",
      doc: "Loads orders.\n\n# Runbook\nCall Ada.",
      owners: ["ada@example.com", "Sales team"],
      tags: ["sales", "daily"],
      schedule: "0 3 * * *",
      lastRun: "failed",
      tasks: [
        { id: "extract", owner: "Ops", next: ["load"] },
        { id: "load", doc: "Writes the table." },
      ],
    },
    { id: "revenue", paused: true, tasks: [{ id: "build" }] },
  ],
  assets: [
    { uri: ORDERS, schedules: ["revenue"], producers: ["load_orders/load"] },
    { uri: REVENUE, producers: ["revenue/build"], consumers: [] },
    { uri: "s3://landing/orders.csv", consumers: ["load_orders/extract"], aliases: ["landing"] },
    { uri: "nobody_uses_it" },
  ],
};

const VERSIONS: Version[] = atDepth(["3.1.0"], ["2.10.5", "3.0.6", "3.1.0"]);

describe.each(VERSIONS)("syncs of Airflow %s", (version) => {
  it("A DAG whose run was due and has not begun missed its schedule, until a run begins", async () => {
    const [late, early] = ["2000-01-01T00:00:00.123456+00:00", "2999-01-01T00:00:00Z"];
    const timed = (due: string | null) => [
      { id: "daily", schedule: "0 3 * * *", due },
      { id: "paused", schedule: "0 3 * * *", due: late, paused: true },
      { id: "by_hand", due: late },
    ];
    const airflow = await serveAirflow({ dags: timed(early) }, { version });
    const { crawl, find, graph, workspaceId } = await openCrawls();
    for (const due of [early, late, late, null, early]) {
      airflow.contents.dags = timed(due);
      expect(await crawl("airflow", { url: airflow.url, ...USER })).toMatchObject({ status: "completed", errors: [] });
    }
    const query = { since: null, until: "9999" };
    const { items } = await graph.listChanges(workspaceId, query, { after: null, limit: 10 });
    expect(items.map(({ kind, node, check }) => [kind, node.fqn, check?.name, check?.message])).toEqual([
      ["schedule_met", "daily", "schedule 0 3 * * *", "The next run is due at 2999-01-01T00:00:00.000Z."],
      [
        "schedule_missed",
        "daily",
        "schedule 0 3 * * *",
        "The run that was due at 2000-01-01T00:00:00.123Z has not begun.",
      ],
    ]);
    const ids = await Promise.all(["paused", "by_hand"].map(async (name) => present(await find(name)).id));
    const pages = await graph.loadChecks(
      workspaceId,
      ids.map((node) => ({ node, first: 5, after: null })),
    );
    expect(pages.flatMap((page) => page.items).filter(({ kind }) => kind === "schedule")).toEqual([]);
  });

  it.skipIf(version.startsWith("2."))("A late DAG whose last run is active missed no schedule", async () => {
    const [late, early] = ["2000-01-01T00:00:00Z", "2999-01-01T00:00:00Z"];
    const airflow = await serveAirflow({ dags: [] }, { version });
    const { crawl, graph, workspaceId } = await openCrawls();
    const states = [
      { due: early, lastRun: "success" },
      { due: late, lastRun: "running" },
      { due: late, lastRun: "queued" },
      { due: early, lastRun: "running" },
      { due: late, lastRun: "failed" },
    ] as const;
    for (const state of states) {
      airflow.contents.dags = [{ id: "daily", schedule: "0 3 * * *", ...state }];
      await crawl("airflow", { url: airflow.url, ...USER });
    }
    const query = { since: null, until: "9999" };
    const { items } = await graph.listChanges(workspaceId, query, { after: null, limit: 10 });
    expect(items.map(({ kind, check }) => [kind, check?.name])).toEqual([
      ["check_failed", "last run"],
      ["schedule_missed", "schedule 0 3 * * *"],
    ]);
  });

  it("A DAG whose last run failed has a failing check, until a run succeeds", async () => {
    const airflow = await serveAirflow({ dags: [] }, { version });
    const { crawl, graph, workspaceId } = await openCrawls();
    const failing: string[][] = [];
    for (const lastRun of ["success", "failed", "running", "failed", "queued", "success", "running"] as const) {
      airflow.contents.dags = [{ id: "daily", lastRun }, { id: "never_ran" }];
      await crawl("airflow", { url: airflow.url, ...USER });
      const filter = { types: "asset", failing: true } as const;
      const page = await graph.listNodes(workspaceId, filter, { after: null, limit: 10 });
      failing.push(page.items.map(({ name }) => name));
    }
    const query = { since: null, until: "9999" };
    const { items } = await graph.listChanges(workspaceId, query, { after: null, limit: 10 });
    const changes = items.map(({ kind, node, check }) => `${kind} ${node.fqn}: ${check?.message}`);
    // Airflow 2 does not tell the states of last runs.
    const isLegacy = version.startsWith("2.");
    expect(failing).toEqual([[], ...Array.from({ length: 4 }, () => (isLegacy ? [] : ["daily"])), [], []]);
    expect(changes).toEqual(
      isLegacy
        ? []
        : [
            "check_passed daily: The last run ended with the state success.",
            "check_failed daily: The last run ended with the state failed.",
          ],
    );
  });

  it("A run that falls due during a long sync is not late", async () => {
    const airflow = await serveAirflow({ dags: [] }, { version });
    const { crawl, graph, workspaceId, clock } = await openCrawls();
    airflow.intrude = ({ path }) => {
      if (path.endsWith("/tasks")) clock.advance(DAY_MS);
      return false;
    };
    for (const ahead of [DAY_MS / 2, -DAY_MS, DAY_MS / 2]) {
      const due = new Date(clock.now().getTime() + ahead).toISOString();
      airflow.contents.dags = [{ id: "daily", schedule: "0 3 * * *", due }];
      await crawl("airflow", { url: airflow.url, ...USER });
    }
    const query = { since: null, until: "9999" };
    const { items } = await graph.listChanges(workspaceId, query, { after: null, limit: 10 });
    expect(items.map(({ kind }) => kind)).toEqual(["schedule_met", "schedule_missed"]);
  });

  it("A sync of Airflow states DAGs and their tasks with their descriptions", async () => {
    const airflow = await serveAirflow(SALES, { version });
    const { crawl, find } = await openCrawls();
    const outcome = await crawl("airflow", { url: airflow.url, ...USER });
    expect(outcome).toMatchObject({ status: "completed", errors: [] });
    const isLegacy = version.startsWith("2.");
    expect(await find("load_orders")).toMatchObject({
      type: "pipeline",
      platform: "airflow",
      existence: "held",
      name: "load_orders",
      description: "Loads orders.\n\n# Runbook\nCall Ada.",
      owner: "ada@example.com",
      ownerName: "Sales team",
      tags: ["daily", "sales"],
      url: `${airflow.url}/dags/load_orders${isLegacy ? "/grid" : ""}`,
      gap: "",
    });
    const dag = present(await find("load_orders"));
    expect(dag.usage?.latest).toEqual(isLegacy ? undefined : { last_run_state: "failed" });
    expect(dag.meta).toEqual({
      kind: "dag",
      dag_id: "load_orders",
      schedule: "0 3 * * *",
      schedule_description: "At 0 3 * * *",
      paused: false,
      file: isLegacy ? "/opt/airflow/dags/sales/daily.py" : "sales/daily.py",
      owners: ["Sales team", "ada@example.com"],
      tasks: 2,
    });
    const task = present(await find("load_orders.extract"));
    expect(task).toMatchObject({ type: "pipeline", name: "extract", ownerName: "Ops" });
    expect(task.url).toBe(
      isLegacy
        ? `${airflow.url}/dags/load_orders/grid?task_id=extract`
        : `${airflow.url}/dags/load_orders/tasks/extract`,
    );
    expect(task.meta).toEqual({
      kind: "task",
      dag_id: "load_orders",
      task_id: "extract",
      operator: "SQLExecuteQueryOperator",
      operator_module: "airflow.providers.common.sql.operators.sql",
      next_tasks: ["load"],
    });
    expect(present(await find("load_orders.load")).description).toBe("Writes the table.");
    expect(present(await find("revenue")).meta).toMatchObject({ paused: true });
    // Airflow's default owner of tasks is not an owner.
    expect(await find("revenue")).toMatchObject({ owner: "", ownerName: "" });
  });

  it("The owner of a DAG owns most of its tasks, in whatever order Airflow names the owners", async () => {
    const [ada, bob, eve] = ["ada@example.com", "bob@example.com", "eve@example.com"];
    const owners = ["Ops", ada, bob, eve, "Data"];
    const tasks = [`Ops,${eve}`, `${bob},Data`, `${eve},Ops`, `Data, ${ada}`].map((owner, i) => ({
      id: `t${i}`,
      owner,
    }));
    const airflow = await serveAirflow({ dags: [{ id: "load", owners, tasks }] }, { version });
    const { crawl, find } = await openCrawls();
    await crawl("airflow", { url: airflow.url, ...USER });
    const dag = present(await find("load"));
    expect(dag).toMatchObject({ owner: eve, ownerName: "Data" });
    expect(dag.meta["owners"]).toEqual(["Data", "Ops", eve, ada, bob]);
    airflow.contents.dags = [{ id: "load", owners: [bob, ` ${ada}`, " Ops", eve, "Data"], tasks }];
    expect(await crawl("airflow", { url: airflow.url, ...USER })).toMatchObject({ assetsUpdated: 0 });
  });

  it("A sync of Airflow states the assets that tasks read and write, and no others", async () => {
    const airflow = await serveAirflow(SALES, { version });
    const { crawl, held, below, find } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect((await held()).filter((each) => each.startsWith("table"))).toEqual([
      "table postgres shop.marts.revenue",
      "table postgres shop.raw.orders",
      // Airflow 2 has no aliases.
      ...(version === "2.10.5" ? [] : ["table s3 landing.orders.csv"]),
    ]);
    // The task that builds the revenue does not say what it reads. Its DAG is scheduled on the orders.
    expect(await below("shop.raw.orders")).toEqual([
      "revenue materializes shop.marts.revenue",
      "shop.raw.orders reads revenue",
    ]);
    expect(await below("load_orders.load")).toContain("load_orders.load materializes shop.raw.orders");
    expect(await below("revenue.build")).toEqual(["revenue.build materializes shop.marts.revenue"]);
    const orders = present(await find("shop.raw.orders"));
    expect(JSON.stringify(orders)).not.toContain("hunter2");
    expect(orders.meta).toEqual({ airflow_assets: [{ uri: ORDERS }] });
    const latest = version === "2.10.5" ? undefined : { last_event_at: "2026-05-04T03:02:01.123456Z" };
    expect(orders.usage?.latest).toEqual(latest);
  });

  it("A sync of Airflow leaves out the DAGs that the options exclude, with their assets", async () => {
    const airflow = await serveAirflow(SALES, { version });
    const { crawl, held } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN, include_paused: "no", exclude_dags: "x*" });
    expect((await held()).filter((each) => !each.includes("s3"))).toEqual([
      "pipeline airflow load_orders",
      "pipeline airflow load_orders.extract",
      "pipeline airflow load_orders.load",
      "table postgres shop.raw.orders",
    ]);
    expect(airflow.asked().some((path) => path.includes("revenue"))).toBe(false);
  });

  it("A sync of Airflow removes what Airflow no longer has", async () => {
    const airflow = await serveAirflow(SALES, { version });
    const { crawl, held } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN });
    airflow.contents = { dags: [{ id: "revenue", tasks: [] }], assets: [] };
    expect(await crawl("airflow", { url: airflow.url, token: TOKEN })).toMatchObject({ errors: [] });
    expect(await held()).toEqual(["pipeline airflow revenue"]);
  });

  it("A sync of Airflow reads pages that are shorter than it requests", async () => {
    const dags = Array.from({ length: 23 }, (_, i) => ({ id: `dag_${i}`, tasks: [{ id: "run" }] }));
    const assets = dags.map(({ id }) => ({ uri: `s3://bucket/${id}`, producers: [`${id}/run`] }));
    const airflow = await serveAirflow({ dags, assets }, { version, mostOnPage: 5 });
    const { crawl, held } = await openCrawls();
    expect(await crawl("airflow", { url: airflow.url, token: TOKEN })).toMatchObject({ errors: [] });
    expect(await held()).toHaveLength(3 * 23);
  });

  it("A sync of Airflow changes nothing in the catalog if nothing has changed", async () => {
    const airflow = await serveAirflow(SALES, { version });
    const { crawl } = await openCrawls();
    const first = await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(await crawl("airflow", { url: airflow.url, token: TOKEN })).toMatchObject({
      assetsDiscovered: first.assetsDiscovered,
      assetsUpdated: 0,
      assetsRemoved: 0,
    });
  });
});

const crawlBoth = async (order: readonly ("airflow" | "dbt")[]) => {
  const folder = await writeDbtProject({
    adapter: "postgres",
    sources: { orders: { id: "int" } },
    models: { revenue: "select id from {orders}" },
  });
  const airflow = await serveAirflow(SALES);
  const crawls = await openCrawls();
  const options = {
    airflow: { url: airflow.url, token: TOKEN },
    dbt: { manifest: `${folder}/manifest.json`, catalog: `${folder}/catalog.json` },
  };
  for (const type of order) {
    expect(await crawls.crawl(type, options[type])).toMatchObject({ status: "completed", errors: [] });
  }
  return crawls;
};

it("A task tells what it reads since Airflow 3.1", async () => {
  const airflow = await serveAirflow(SALES);
  const { crawl, below } = await openCrawls();
  await crawl("airflow", { url: airflow.url, token: TOKEN });
  expect(await below("landing.orders.csv")).toEqual(["landing.orders.csv reads load_orders.extract"]);
});

describe("shared assets", () => {
  it.each([
    ["Airflow first", ["airflow", "dbt"] as const],
    ["dbt first", ["dbt", "airflow"] as const],
  ])("A relation of Airflow and dbt is one asset, %s", async (_, order) => {
    const { find, held, below } = await crawlBoth(order);
    const relations = (await held()).filter((each) => each.includes(" postgres "));
    expect(relations).toEqual(["model postgres shop.marts.revenue", "table postgres shop.raw.orders"]);
    const orders = present(await find("shop.raw.orders"));
    expect(orders.connectors).toEqual(["dbt", "airflow"]);
    expect(present(await find("shop.marts.revenue"))).toMatchObject({ type: "model", lineageConnector: "dbt" });
    expect(await below("load_orders.load")).toEqual([
      "load_orders.load materializes shop.raw.orders",
      "revenue materializes shop.marts.revenue",
      "shop.raw.orders derives shop.marts.revenue",
      "shop.raw.orders reads revenue",
    ]);
  });

  it("A relation with several URIs in Airflow is one asset", async () => {
    const airflow = await serveAirflow({
      dags: [{ id: "d", tasks: [{ id: "a" }, { id: "b" }] }],
      assets: [
        { uri: "postgres://primary/shop/public/orders", producers: ["d/a"] },
        { uri: "postgres://replica/shop/public/Orders", producers: ["d/b"] },
      ],
    });
    const { crawl, find, held } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(present(await find("shop.public.orders")).meta["airflow_assets"]).toHaveLength(2);
    expect((await held()).filter((each) => each.startsWith("table"))).toHaveLength(1);
  });
});

describe("the option openlineage_namespace", () => {
  it("The option openlineage_namespace gives DAGs and tasks the identity of the jobs in their events", async () => {
    const airflow = await serveAirflow(SALES);
    const { crawl, held, below } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN, openlineage_namespace: "prod" });
    expect((await held()).filter((each) => each.startsWith("pipeline"))).toEqual([
      "pipeline openlineage prod.load_orders",
      "pipeline openlineage prod.load_orders.extract",
      "pipeline openlineage prod.load_orders.load",
      "pipeline openlineage prod.revenue",
      "pipeline openlineage prod.revenue.build",
    ]);
    expect(await below("prod.revenue.build")).toEqual(["prod.revenue.build materializes shop.marts.revenue"]);
  });
});
