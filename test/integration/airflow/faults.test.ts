/** Airflows that refuse, fail, answer nonsense or stop: what a sync then keeps, and what it reports. */
import { setImmediate } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { createAirflowConnector } from "../../../src/connectors/airflow/connector.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { AspectTable } from "../../../src/connectors/datahub/rows.ts";
import { createConnectorFinder } from "../../../src/connectors/registry.ts";
import { parseSettings } from "../../../src/settings/settings.ts";
import type { ApiNetwork } from "../../../src/connectors/http/api-client.ts";
import { type FakeContents, type Intrusion, json, serveAirflow, TOKEN } from "../../support/airflow.ts";
import { LOCAL, openCrawls } from "../../support/airflow-crawl.ts";
import { atDepth, isFull } from "../../support/depth.ts";
import { createCountdowns } from "../../support/running-countdowns.ts";

const TWO: FakeContents = {
  dags: [
    { id: "a", tasks: [{ id: "one" }, { id: "two" }] },
    { id: "b", tasks: [{ id: "one" }] },
  ],
  assets: [
    { uri: "s3://bucket/x", producers: ["a/one"], schedules: ["b"] },
    { uri: "s3://bucket/y", producers: ["b/one"] },
  ],
};

const ALL_OF_TWO = [
  "pipeline airflow a",
  "pipeline airflow a.one",
  "pipeline airflow a.two",
  "pipeline airflow b",
  "pipeline airflow b.one",
  "table s3 bucket.x",
  "table s3 bucket.y",
];

/** Answers the paths with this end in this way. */
const at =
  (end: string, answer: Parameters<typeof json>[1] | Intrusion, status = 500): Intrusion =>
  (request, response) => {
    if (!request.path.endsWith(end)) return false;
    if (typeof answer === "function") return (answer as Intrusion)(request, response);
    json(response, answer, status);
    return true;
  };

/** Syncs twice: first without a fault, then with the fault after `change`. */
async function crawlTwice(
  fault: Intrusion,
  {
    change = (contents: FakeContents): FakeContents => contents,
    network = LOCAL,
  }: { change?: (contents: FakeContents) => FakeContents; network?: ApiNetwork } = {},
) {
  const airflow = await serveAirflow(TWO);
  const crawls = await openCrawls(network);
  const options = { url: airflow.url, token: TOKEN };
  expect(await crawls.crawl("airflow", options)).toMatchObject({ status: "completed", errors: [] });
  expect(await crawls.held()).toEqual(ALL_OF_TWO);
  airflow.contents = change(TWO);
  airflow.intrude = fault;
  const outcome = await crawls.crawl("airflow", options);
  return { ...crawls, outcome, airflow, codes: outcome.errors.map(({ code }) => code) };
}

const withC = (contents: FakeContents): FakeContents => ({
  ...contents,
  dags: [...contents.dags, { id: "c", tasks: [] }],
});
const withoutB = (): FakeContents => ({ dags: TWO.dags.slice(0, 1), assets: TWO.assets?.slice(0, 1) ?? [] });

describe("parts that cannot be read", () => {
  it("If the tasks of one DAG fail, nothing of it is removed, and the rest is loaded", async () => {
    const { outcome, held, find, below } = await crawlTwice(at("/dags/a/tasks", { detail: "boom" }), { change: withC });
    expect(outcome).toMatchObject({ status: "completed", assetsRemoved: 0 });
    expect(outcome.errors).toEqual([
      expect.objectContaining({
        code: "http_error",
        message: "The tasks of the DAG a cannot be read: Airflow answered (HTTP 500).",
        severity: "error",
        retryable: true,
      }),
    ]);
    expect(await held()).toEqual([...ALL_OF_TWO, "pipeline airflow c"].toSorted());
    expect(await find("a")).toMatchObject({ gap: "its tasks could not be read in full" });
    expect(await below("a.one")).toContain("a.one materializes bucket.x");
  });

  it.each([
    ["are refused", { detail: "Forbidden" }, 403, "forbidden"],
    ["are not there", { detail: "Not Found" }, 404, "not_found"],
    ["are not a list", { tasks: {} }, 200, "unexpected_answer"],
  ])("If the tasks of one DAG %s, nothing of it is removed", async (_, answer, status, code) => {
    const { codes, held } = await crawlTwice(at("/dags/a/tasks", answer, status), {
      change: (contents) => ({ ...contents, dags: contents.dags.slice(0, 1) }),
    });
    expect(codes).toEqual([code]);
    expect(await held()).toEqual(ALL_OF_TWO);
  });

  it("If assets are refused, nothing is removed, and DAGs are loaded with unknown lineage", async () => {
    const { codes, held, find, below, outcome } = await crawlTwice(at("/assets", { detail: "Forbidden" }, 403), {
      change: (contents) => ({ dags: contents.dags.slice(0, 1) }),
    });
    expect(codes).toEqual(["forbidden"]);
    // All DAGs were read, so the removed one is removed from the catalog.
    expect(outcome.assetsRemoved).toBe(2);
    expect(await held()).toEqual(ALL_OF_TWO.filter((each) => !each.startsWith("pipeline airflow b")));
    expect(await find("a")).toMatchObject({ gap: "what it reads and writes could not be read in full" });
    expect(await below("a.one")).toContain("a.one materializes bucket.x");
  });

  it("If a later page of the DAGs fails, nothing is removed", async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ id: `dag_${i}`, tasks: [] }));
    const airflow = await serveAirflow({ dags: many });
    const { crawl, held } = await openCrawls();
    const options = { url: airflow.url, token: TOKEN };
    await crawl("airflow", options);
    airflow.contents = { dags: many.slice(0, 120) };
    airflow.intrude = ({ path, query }, response) => {
      if (!path.endsWith("/dags") || query.get("offset") === "0") return false;
      json(response, { detail: "boom" }, 503);
      return true;
    };
    const { status, errors } = await crawl("airflow", options);
    expect(status).toBe("completed");
    expect(errors.map(({ code, severity }) => `${severity} ${code}`)).toContain("error http_error");
    expect(await held()).toHaveLength(150);
  });

  it("If the first page of the DAGs fails, the sync fails and removes nothing", async () => {
    const { outcome, held } = await crawlTwice(at("/dags", { detail: "Forbidden" }, 403), { change: withoutB });
    expect(outcome).toMatchObject({ status: "failed", errors: [{ code: "forbidden", object: "the list of DAGs" }] });
    expect(await held()).toEqual(ALL_OF_TWO);
  });

  it("If the credentials end half-way, the sync fails and removes nothing", async () => {
    const { outcome, held } = await crawlTwice(at("/dags/a/tasks", { detail: "expired" }, 401), { change: withoutB });
    expect(outcome).toMatchObject({ status: "failed" });
    expect(outcome.errors.at(-1)).toMatchObject({
      code: "unauthorized",
      message: "Airflow refuses the credentials (HTTP 401).",
    });
    expect(await held()).toEqual(ALL_OF_TWO);
  });

  it.runIf(isFull)("If Airflow stops half-way, the sync soon fails and removes nothing", async () => {
    const dags = Array.from({ length: 200 }, (_, i) => ({ id: `dag_${i}`, tasks: [{ id: "run" }] }));
    const airflow = await serveAirflow({ dags });
    const { crawl, held } = await openCrawls();
    const options = { url: airflow.url, token: TOKEN };
    await crawl("airflow", options);
    airflow.contents = { dags: dags.slice(0, 190) };
    let answered = 0;
    airflow.intrude = ({ path }, response) => {
      if (!path.includes("/dags/") || ++answered <= 40) return false;
      response.destroy();
      return true;
    };
    const outcome = await crawl("airflow", options);
    expect(outcome.status).toBe("failed");
    expect(outcome.errors.at(-1)).toMatchObject({ code: "unreachable", retryable: true });
    // The client tries some requests again before it gives up.
    expect(answered).toBeLessThan(40 + 100);
    expect(await held()).toHaveLength(400);
  });

  it("If a DAG has another form, nothing of it is removed, and the others are loaded", async () => {
    const { codes, held, outcome } = await crawlTwice(
      at("/dags", ({ query }: { query: URLSearchParams }, response: Parameters<typeof json>[0]) => {
        if (query.has("last_dag_run_state")) return false;
        json(response, { dags: [{ dag_id: 7 }, { dag_id: "b" }, null], total_entries: 3 });
        return true;
      }),
    );
    expect(codes).toEqual(["malformed_entry", "malformed_entry"]);
    expect(outcome.errors[0]?.message).toBe(
      "an entry without dag_id cannot be read: dag_id: Invalid input: expected string, received number",
    );
    expect(await held()).toEqual(ALL_OF_TWO);
  });

  it.each([
    ["repeats its entries", (offset: number) => [`dag_${offset % 2}`], "endless_list"],
    [
      "has too many entries",
      (offset: number) => Array.from({ length: 2_000 }, (_, i) => `d${offset + i}`),
      "endless_list",
    ],
  ])("If a list of assets %s without end, nothing is removed", async (_, namesAt, code) => {
    const { codes, held } = await crawlTwice(
      at("/assets", ({ query }: { query: URLSearchParams }, response: Parameters<typeof json>[0]) => {
        const offset = Number(query.get("offset"));
        const assets = namesAt(offset).map((uri) => ({ id: Number(uri.replace(/\D/g, "")), uri }));
        json(response, { assets, total_entries: 1_000_000_000 });
        return true;
      }),
    );
    expect(codes).toEqual([code]);
    expect(await held()).toEqual(ALL_OF_TWO);
  });

  it("If a list changes while it is read, nothing is removed, because an entry may have been missed", async () => {
    const dags = Array.from({ length: 150 }, (_, i) => ({ id: `dag_${String(i).padStart(3, "0")}`, tasks: [] }));
    const airflow = await serveAirflow({ dags });
    const { crawl, held } = await openCrawls();
    const options = { url: airflow.url, token: TOKEN };
    await crawl("airflow", options);
    airflow.intrude = ({ path, query }) => {
      // The first DAG is removed after the first page was read, so the 101st is now the 100th.
      if (path.endsWith("/dags") && query.get("offset") === "100") airflow.contents = { dags: dags.slice(1) };
      return false;
    };
    const { errors } = await crawl("airflow", options);
    expect(errors.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning list_changed",
      "error not_found",
    ]);
    expect(await held()).toHaveLength(150);
    airflow.intrude = () => false;
    await crawl("airflow", options);
    expect(await held()).toHaveLength(149);
  });
});

describe("passing faults", () => {
  it("A sync waits and tries again after 429 with Retry-After, and after 503", async () => {
    const pauses: number[] = [];
    const network = { ...LOCAL, sleep: (ms: number) => Promise.resolve(void pauses.push(ms)) };
    const airflow = await serveAirflow(TWO);
    const refused = new Set<string>();
    airflow.intrude = ({ path, query }, response) => {
      const key = `${path}?${query}`;
      if (refused.has(key)) return false;
      refused.add(key);
      const isBusy = path.endsWith("/tasks");
      response.writeHead(isBusy ? 429 : 503, isBusy ? { "retry-after": "7" } : {}).end();
      return true;
    };
    const { crawl, held } = await openCrawls(network);
    expect(await crawl("airflow", { url: airflow.url, token: TOKEN })).toMatchObject({
      status: "completed",
      errors: [],
    });
    expect(await held()).toEqual(ALL_OF_TWO);
    expect(pauses.filter((ms) => ms === 7_000)).toHaveLength(2);
  });

  it("A sync does not wait for an Airflow that never answers", async () => {
    const { countdown, endAll } = createCountdowns();
    // One request at a time, so that the time of no other one ends.
    const network = { ...LOCAL, countdown, concurrency: 1, retryDelaysMs: [] };
    const { outcome, held } = await crawlTwice(
      at("/assets", () => {
        endAll();
        return true;
      }),
      { change: withoutB, network },
    );
    expect(outcome.errors).toEqual([
      expect.objectContaining({
        code: "timeout",
        message: "The list of assets cannot be read: Airflow did not answer in 20 s.",
      }),
    ]);
    expect(await held()).toEqual(ALL_OF_TWO.filter((each) => !each.startsWith("pipeline airflow b")));
  });

  it("JSON that breaks off is reported as an error of the DAG or list that was read", async () => {
    const { outcome } = await crawlTwice(
      at("/dags/b/details", (_: unknown, response: Parameters<typeof json>[0]) => {
        response.writeHead(200, { "content-type": "application/json" }).end('{"dag_id": "b", "doc_md": "');
        return true;
      }),
    );
    expect(outcome).toMatchObject({
      status: "completed",
      errors: [
        { code: "unexpected_answer", message: "The DAG b cannot be read: Airflow sent an answer that is not JSON." },
      ],
    });
  });
});

describe("secrets and addresses", () => {
  it("A redirect of Airflow to another address is not followed", async () => {
    const elsewhere = await serveAirflow(TWO);
    const { outcome } = await crawlTwice(
      at("/dags", (_: unknown, response: Parameters<typeof json>[0]) => {
        response.writeHead(302, { location: `${elsewhere.url}/api/v2/dags` }).end();
        return true;
      }),
    );
    expect(outcome).toMatchObject({ status: "failed", errors: [{ code: "bad_redirect" }] });
    expect(elsewhere.seen).toEqual([]);
  });

  it("A private address of Airflow is not connected to", async () => {
    const airflow = await serveAirflow(TWO);
    const { crawl } = await openCrawls({ ...LOCAL, privateSources: [] });
    const outcome = await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(outcome).toMatchObject({ status: "failed", errors: [{ code: "private_address" }] });
    expect(airflow.seen).toEqual([]);
  });

  it("The service's settings permit private addresses of Airflow", async () => {
    const airflow = await serveAirflow(TWO);
    const codesWith = async (env: Record<string, string>): Promise<string[]> => {
      const type = createConnectorFinder(parseSettings(env), null)("airflow");
      const findings = await type?.pull?.test(
        type.options.parse({ url: airflow.url, token: TOKEN }),
        new AbortController().signal,
      );
      return (findings ?? []).map(({ message }) => message.replace(/ \(.*/, ""));
    };
    expect(await codesWith({})).toEqual([
      "Airflow is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES.",
    ]);
    expect(await codesWith({ ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" })).toEqual([]);
  });

  it("Errors about Airflow contain neither its address nor a secret", async () => {
    const { outcome } = await crawlTwice(at("/dags/a/tasks", { detail: TOKEN }, 500));
    expect(JSON.stringify(outcome.errors)).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${TOKEN}`));
  });
});

describe("names", () => {
  it("Names in Airflow may have dots, slashes, spaces and any script", async () => {
    const ids = ["sales.daily", "a/b", "ärger 漢字", "50%", "x?y#z", "..", "…"];
    const dags = ids.map((id) => ({ id, tasks: [{ id: "t.with.dots" }] }));
    const assets = ids.map((id) => ({ uri: `s3://bucket/${id}`, producers: [`${id}/t.with.dots`] }));
    const airflow = await serveAirflow({ dags, assets: assets.filter((_, i) => ids[i] !== "a/b") });
    const { crawl, held, below } = await openCrawls();
    const { errors } = await crawl("airflow", { url: airflow.url, token: TOKEN });
    // A URL cannot name the DAG "..", so its tasks are not read.
    expect(errors.map(({ code, object }) => `${code} ${object}`)).toEqual(["invalid_name .."]);
    const tasks = ids.filter((id) => id !== "..").map((id) => `${id}.t.with.dots`);
    expect((await held()).filter((each) => each.startsWith("pipeline"))).toEqual(
      [...ids, ...tasks].map((name) => `pipeline airflow ${name}`).toSorted(),
    );
    expect(await below("ärger 漢字.t.with.dots")).toEqual(["ärger 漢字.t.with.dots materializes bucket.ärger 漢字"]);
  });

  it("Names that OpenLineage cannot tell apart become one pipeline, and an error says so", async () => {
    const dags = [
      { id: "a", tasks: [{ id: "b" }] },
      { id: "a.b", tasks: [{ id: "c" }] },
    ];
    const airflow = await serveAirflow({ dags, assets: [{ uri: "s3://bucket/x", producers: ["a.b/c"] }] });
    const { crawl, held } = await openCrawls();
    const options = { url: airflow.url, token: TOKEN };
    const { errors } = await crawl("airflow", { ...options, openlineage_namespace: "default" });
    expect(errors).toMatchObject([
      {
        code: "alike_name",
        message:
          "a.b was left out, because the catalog cannot tell it from another pipeline: OpenLineage gives both this name.",
      },
    ]);
    expect(await held()).toEqual(["pipeline openlineage default.a", "pipeline openlineage default.a.b"]);
  });

  it("Names of removed tasks do not become pipelines", async () => {
    const airflow = await serveAirflow({
      dags: [{ id: "a", tasks: [{ id: "new" }] }],
      assets: [{ uri: "s3://bucket/x", producers: ["a/old", "gone/t"], consumers: ["a/old"], schedules: ["gone"] }],
    });
    const { crawl, held, below, find } = await openCrawls();
    await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(await held()).toEqual(["pipeline airflow a", "pipeline airflow a.new", "table s3 bucket.x"]);
    expect(await below("bucket.x")).toEqual([]);
    expect(await find("a.old")).toBeNull();
  });

  it("Names that differ only in case become one pipeline, and an error names the other", async () => {
    const airflow = await serveAirflow({
      dags: [
        { id: "Orders", tasks: [{ id: "a" }, { id: "A" }] },
        { id: "orders", tasks: [{ id: "b" }] },
      ],
      assets: [{ uri: "s3://bucket/x", producers: ["orders/b", "Orders/A"] }],
    });
    const { crawl, held } = await openCrawls();
    const { errors } = await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(errors.map(({ code, object }) => `${code} ${object}`)).toEqual(["alike_name Orders.A", "alike_name orders"]);
    expect(await held()).toEqual(["pipeline airflow Orders", "pipeline airflow Orders.a", "table s3 bucket.x"]);
  });
});

const findNone = () => Promise.resolve([]);

describe("a large Airflow", () => {
  const DAGS = atDepth(500, 5_000);
  it(`An Airflow of ${DAGS} DAGs is read in bounded steps`, async () => {
    const dags = Array.from({ length: DAGS }, (_, i) => ({ id: `dag_${i}`, tasks: [{ id: "a" }, { id: "b" }] }));
    const airflow = await serveAirflow({ dags, assets: [] });
    let running = 0;
    let most = 0;
    airflow.intrude = (_, response) => {
      most = Math.max(most, ++running);
      response.on("close", () => (running -= 1));
      return false;
    };
    const { pull, options } = createAirflowConnector(LOCAL);
    const { signal } = new AbortController();
    const context = { mode: "full", previousState: null, signal, now: () => new Date(0) } as const;
    const counts = new Map<string, number>();
    let last: CrawlEvent | undefined;
    for await (const event of pull.crawl(
      options.parse({ url: airflow.url, token: TOKEN }),
      context,
      new AspectTable(),
      findNone,
    )) {
      counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
      last = event;
    }
    expect(counts.get("asset")).toBe(3 * DAGS);
    expect(counts.get("error")).toBeUndefined();
    expect(last).toEqual({ kind: "end", scope: "assets", complete: true });
    expect(most).toBeLessThanOrEqual(4);
  });

  it("A sync of a large Airflow stops when it is cancelled", async () => {
    const dags = Array.from({ length: 500 }, (_, i) => ({ id: `dag_${i}`, tasks: [] }));
    const airflow = await serveAirflow({ dags });
    const { pull, options } = createAirflowConnector(LOCAL);
    const stop = new AbortController();
    const context = { mode: "full", previousState: null, signal: stop.signal, now: () => new Date(0) } as const;
    const crawling = (async () => {
      for await (const event of pull.crawl(
        options.parse({ url: airflow.url, token: TOKEN }),
        context,
        new AspectTable(),
        findNone,
      )) {
        if (event.kind === "asset") stop.abort(new Error("cancelled"));
      }
    })();
    await expect(crawling).rejects.toThrow("cancelled");
    await setImmediate();
    expect(airflow.seen.length).toBeLessThan(50);
  });
});

describe("other servers", () => {
  it("A sync of a server that is not Airflow fails with a message that says so", async () => {
    const airflow = await serveAirflow(TWO);
    airflow.intrude = (_, response) => {
      json(response, { detail: "Not Found" }, 404);
      return true;
    };
    const { crawl } = await openCrawls();
    const outcome = await crawl("airflow", { url: airflow.url, token: TOKEN });
    expect(outcome).toMatchObject({
      status: "failed",
      errors: [
        {
          code: "not_found",
          message: "There is no Airflow at this address: it has neither /api/v2/version nor /api/v1/version.",
        },
      ],
    });
  });
});
