import { mkdtempDisposable, readdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test, vi } from "vitest";

import { createDbtConnector } from "../../../../src/connectors/dbt/connector.ts";
import { serveHttp } from "../../../support/http-server.ts";
import { entries, manifest } from "./project.ts";

const NETWORK = {
  idleTimeoutMs: 20_000,
  leastBytesPerIdle: 1,
  totalTimeoutMs: 20_000,
  retryDelaysMs: [0, 0],
  maxBytes: 1_000_000,
  privateSources: ["127.0.0.0/8"],
  insecureHosts: [],
};
const MANIFEST = JSON.stringify(manifest({ nodes: entries({ "model.shop.orders": {} }) }));

afterEach(() => {
  vi.unstubAllEnvs();
});

async function serve(listener: RequestListener) {
  const server = await serveHttp(listener);
  return { ...server, url: `${server.url}/target/manifest.json?signature=secret` };
}

async function crawlUrl(url: string, { token, network = NETWORK }: { token?: string; network?: typeof NETWORK } = {}) {
  const connector = createDbtConnector(network);
  const options = connector.options.parse({ manifest: url, ...(token === undefined ? {} : { token }) });
  const { signal } = new AbortController();
  const assets: string[] = [];
  for await (const event of connector.pull.crawl(options, {
    mode: "full",
    previousState: null,
    signal,
    now: () => new Date(0),
  })) {
    if (event.kind === "asset") assets.push(event.asset.name);
  }
  return assets;
}

test("A URL is fetched for each crawl, with the token, and its temporary copy is removed", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=3600" }).end(MANIFEST);
  });
  await using temporary = await mkdtempDisposable(join(tmpdir(), "dbt-test-"));
  vi.stubEnv("TMPDIR", temporary.path);
  expect(await crawlUrl(server.url, { token: "t0ken" })).toEqual(["orders"]);
  expect(await crawlUrl(server.url)).toEqual(["orders"]);
  expect(server.seen.map((request) => request.headers.authorization)).toEqual(["Bearer t0ken", undefined]);
  expect(await readdir(temporary.path)).toEqual([]);
});

test("A download is tried again after a server error or a lost connection", async () => {
  await using server = await serve((_, response) => {
    if (server.seen.length === 1) response.writeHead(503).end("later");
    else if (server.seen.length === 2)
      response.writeHead(200, { "content-length": "100000" }).end(MANIFEST, () => response.destroy());
    else response.end(MANIFEST);
  });
  expect(await crawlUrl(server.url)).toEqual(["orders"]);
  expect(server.seen).toHaveLength(3);
});

test.each([
  [404, "not_found", false, 1],
  [401, "unauthorized", false, 1],
  [403, "unauthorized", false, 1],
  [500, "http_error", true, 3],
  [429, "http_error", true, 3],
  [418, "http_error", false, 1],
])("HTTP %i fails the crawl as %s", async (status, code, retryable, attempts) => {
  await using server = await serve((_, response) => response.writeHead(status).end("a body that nobody wants"));
  const error = await crawlUrl(server.url).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "CrawlFailure", error: { code, retryable, stage: "connect" } });
  expect(error).toHaveProperty("error.location", `${new URL(server.url).origin}/target/manifest.json`);
  expect(error).toHaveProperty("error.object", "manifest.json");
  expect(error).toHaveProperty("message", expect.stringMatching(/^manifest\.json [^/]+\.$/));
  expect(server.seen).toHaveLength(attempts);
});

test("A download from a server that falls silent is given up", async () => {
  await using server = await serve((_, response) => response.writeHead(200).write(MANIFEST.slice(0, 10)));
  const network = { ...NETWORK, idleTimeoutMs: 50, retryDelaysMs: [] };
  await expect(crawlUrl(server.url, { network })).rejects.toMatchObject({
    error: { code: "timeout", retryable: true },
  });
});

test("An artifact beyond the size limit is refused during its download", async () => {
  await using server = await serve((_, response) => response.end(MANIFEST));
  const network = { ...NETWORK, maxBytes: 100 };
  await expect(crawlUrl(server.url, { network })).rejects.toMatchObject({
    error: { code: "too_large", retryable: false },
  });
});

test("A download from a server that is not there fails as unreachable", async () => {
  // Nothing listens on port 1.
  await expect(crawlUrl("http://127.0.0.1:1/manifest.json")).rejects.toMatchObject({
    error: { code: "unreachable", retryable: true, message: expect.stringContaining("ECONNREFUSED") },
  });
});

test("A download that only trickles is given up in the end", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const drip = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(drip));
  });
  await expect(crawlUrl(server.url, { network: { ...NETWORK, totalTimeoutMs: 2_000 } })).rejects.toMatchObject({
    error: { code: "timeout", retryable: false },
  });
  expect(server.seen).toHaveLength(1);
});
