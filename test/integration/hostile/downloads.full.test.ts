/** Hostile servers of artifacts: they redirect, send without end, or pack much data into little. */
import { existsSync } from "node:fs";
import { mkdtempDisposable, readdir, stat, truncate, writeFile } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { afterEach, describe, expect, test, vi } from "vitest";

import { CrawlFailure } from "../../../src/connectors/connector.ts";
import { AspectTable } from "../../../src/connectors/datahub/rows.ts";
import { createDbtConnector } from "../../../src/connectors/dbt/connector.ts";
import type { Network } from "../../../src/connectors/dbt/download.ts";
import type { Resolve } from "../../../src/connectors/http/source-addresses.ts";
import { toTarget } from "../../../src/connectors/http/fetch-source.ts";
import { createConnectorFinder } from "../../../src/connectors/registry.ts";
import { parseSettings } from "../../../src/settings/settings.ts";
import { serveHttp } from "../../support/http-server.ts";
import { entries, manifest } from "../../unit/connectors/dbt/project.ts";

const MIB = 1024 ** 2;
const MANIFEST = JSON.stringify(manifest({ nodes: entries({ "model.shop.orders": {} }) }));
const NETWORK: Network = {
  idleTimeoutMs: 20_000,
  leastBytesPerIdle: 1,
  totalTimeoutMs: 20_000,
  retryDelaysMs: [],
  maxBytes: MIB,
  privateSources: ["127.0.0.1/32"],
  insecureHosts: [],
};

afterEach(() => {
  vi.unstubAllEnvs();
});

async function serve(listener: RequestListener, host?: string) {
  const server = await serveHttp(listener, host);
  return { ...server, url: `${server.url}/manifest.json` };
}

const giveManifest: RequestListener = (_, response) => response.end(MANIFEST);
const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location }).end();

/** Redirects this many times before it sends the manifest. */
const redirectTimes =
  (times: number): RequestListener =>
  ({ url = "" }, response) => {
    const at = Number(url.slice(1)) || 0;
    if (at < times) response.writeHead(307, { location: `/${at + 1}` }).end();
    else response.end(MANIFEST);
  };

/** Sends a chunk as often as the client takes one. */
function sendWithoutEnd(response: ServerResponse, chunk: Buffer | string): void {
  const send = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", send);
  send();
}

/** Resolves every name to the same addresses. */
const resolveTo =
  (...addresses: string[]): Resolve =>
  (_name, _options, answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );

interface Crawl {
  network?: Partial<Network>;
  options?: Record<string, string>;
}

/** The names of the assets that a sync found. */
async function crawl(manifestAt: string, { network = {}, options = {} }: Crawl = {}): Promise<string[]> {
  const connector = createDbtConnector({ ...NETWORK, ...network });
  const { signal } = new AbortController();
  const context = { mode: "full", previousState: null, signal, now: () => new Date(0) } as const;
  const found: string[] = [];
  for await (const event of connector.pull.crawl(
    connector.options.parse({ manifest: manifestAt, ...options }),
    context,
  )) {
    if (event.kind === "asset") found.push(event.asset.name);
    if (event.kind === "error") found.push(event.error.code);
  }
  return found;
}

async function faultOf(crawling: Promise<unknown>): Promise<CrawlFailure["error"]> {
  const error = await crawling.catch((thrown: unknown) => thrown);
  if (error instanceof CrawlFailure) return error.error;
  throw new Error("The crawl did not fail.", { cause: error });
}

describe("addresses that are not public", () => {
  test.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"])(
    "A private address is not read: %s",
    async (host) => {
      await using server = await serve(giveManifest);
      const url = `http://${host}:${server.port}/manifest.json?signature=secret`;
      const { code, message, retryable } = await faultOf(crawl(url, { network: { privateSources: [] } }));
      expect([code, retryable, server.seen.length]).toEqual(["private_address", false, 0]);
      expect(message).toContain("ALLOW_PRIVATE_SOURCES");
      expect(message).not.toContain("secret");
    },
  );

  test.each([
    "http://127.0.0.2/latest",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[::ffff:a00:1]/",
    "http://10.0.0.1:8080/",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
  ])("A private address is not read after a redirect to %s", async (target) => {
    await using server = await serve(redirectTo(target));
    const { code, retryable } = await faultOf(crawl(server.url));
    expect([code, retryable]).toEqual(["private_address", false]);
  });

  test("A server that would answer is not read after a redirect from a permitted one", async () => {
    await using hidden = await serve(giveManifest, "127.0.0.2");
    await using server = await serve(redirectTo(hidden.url));
    expect(await faultOf(crawl(server.url))).toMatchObject({ code: "private_address" });
    expect(hidden.seen).toHaveLength(0);
  });

  test("A name that points to a private address is not read", async () => {
    await using server = await serve(giveManifest);
    const resolve = resolveTo("127.0.0.1");
    const url = `http://artifacts.example.com:${server.port}/manifest.json`;
    const { code } = await faultOf(crawl(url, { network: { privateSources: [], resolve } }));
    expect([code, server.seen.length]).toEqual(["private_address", 0]);
  });

  test("A name is resolved once, and the connection goes to the checked address, even if the name later points elsewhere", async () => {
    await using hidden = await serve(giveManifest, "127.0.0.2");
    let asked = 0;
    const resolve: Resolve = (_name, _options, answer) => {
      asked += 1;
      answer(null, [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]);
    };
    const url = `http://artifacts.example.com:${hidden.port}/manifest.json`;
    const { code } = await faultOf(crawl(url, { network: { resolve } }));
    expect([code, asked, hidden.seen.length]).toEqual(["unreachable", 1, 0]);
  });

  test("A private address is read if its network is permitted, also by name", async () => {
    await using server = await serve(giveManifest);
    const resolve = resolveTo("10.0.0.1", "127.0.0.1");
    const url = `http://artifacts.example.com:${server.port}/manifest.json`;
    expect(await crawl(server.url)).toEqual(["orders"]);
    expect(await crawl(url, { network: { resolve } })).toEqual(["orders"]);
  });
});

describe("tokens over http", () => {
  const resolve = resolveTo("127.0.0.1");
  const options = { token: "t0ken" };

  test("A token is not sent over http to another host, and nothing is requested there", async () => {
    await using server = await serve(giveManifest);
    const url = `http://artifacts.example.com:${server.port}/manifest.json`;
    const { code, message, retryable } = await faultOf(crawl(url, { network: { resolve }, options }));
    expect([code, retryable, server.seen.length]).toEqual(["insecure_source", false, 0]);
    expect(message).toBe(
      "manifest.json is at an http address, where others could read the token: use https, or list the host in INSECURE_HOSTS.",
    );
  });

  test.each(["artifacts.example.com", "ARTIFACTS.example.com"])(
    "A token is sent over http if INSECURE_HOSTS lists the host: %s",
    async (host) => {
      await using server = await serve(giveManifest);
      const network = { resolve, insecureHosts: ["artifacts.example.com"] };
      expect(await crawl(`http://${host}:${server.port}/manifest.json`, { network, options })).toEqual(["orders"]);
      expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer t0ken"]);
    },
  );

  test("An address without a token may be read over http", async () => {
    await using server = await serve(giveManifest);
    const url = `http://artifacts.example.com:${server.port}/manifest.json`;
    expect(await crawl(url, { network: { resolve } })).toEqual(["orders"]);
  });

  test("A redirect from https to http is not followed with a token", async () => {
    const elsewhere = new URL("http://artifacts.example.com/manifest.json");
    expect(() => toTarget(elsewhere.href, new URL("https://artifacts.example.com/manifest.json"))).toThrow(
      "redirects from https to http",
    );
  });
});

describe("a redirect", () => {
  test("At most five redirects are followed", async () => {
    await using short = await serve(redirectTimes(5));
    await using long = await serve(redirectTimes(6));
    expect(await crawl(short.url)).toEqual(["orders"]);
    expect(await faultOf(crawl(long.url))).toMatchObject({ code: "bad_redirect", retryable: false });
    expect(long.seen).toHaveLength(6);
  });

  test.each(["ftp://example.com/manifest.json", "file:///etc/passwd", "http://[", "data:application/json,{}"])(
    "A redirect to %s is refused",
    async (target) => {
      await using server = await serve(redirectTo(target));
      expect(await faultOf(crawl(server.url))).toMatchObject({ code: "bad_redirect", retryable: false });
    },
  );

  test("A redirect to another origin does not get the token, and neither does the redirect back", async () => {
    let [there, back] = ["", ""];
    await using other = await serve((_, response) => response.writeHead(308, { location: back }).end());
    await using home = await serve(({ url = "" }, response) => {
      if (url.endsWith("?second")) response.end(MANIFEST);
      else response.writeHead(308, { location: url.endsWith("?first") ? there : "?first" }).end();
    });
    [there, back] = [other.url, `${home.url}?second`];
    expect(await crawl(home.url, { options: { token: "t0ken" } })).toEqual(["orders"]);
    const shown = [...home.seen, ...other.seen].map(({ headers }) => headers.authorization);
    expect(shown).toEqual(["Bearer t0ken", "Bearer t0ken", undefined, undefined]);
  });
});

describe("unpacking", () => {
  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["identity", Buffer.from],
  ] as const)("An artifact is unpacked from %s", async (encoding, pack: (text: string) => Buffer) => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(pack(MANIFEST));
    });
    expect(await crawl(server.url)).toEqual(["orders"]);
  });

  test.each(["gzip, gzip", "compress", "constructor"])("An artifact is not unpacked from %s", async (encoding) => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(MANIFEST);
    });
    expect(await faultOf(crawl(server.url))).toMatchObject({ code: "unknown_encoding", retryable: false });
  });
});

describe("artifacts that are too large", () => {
  const BOMB = gzipSync(Buffer.alloc(64 * MIB, " "));
  const EMPTY_MEMBER = gzipSync("");

  const servers: [string, RequestListener][] = [
    ["a gzip bomb", (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB)],
    [
      "packed data that holds nothing, without end",
      (_, response) => sendWithoutEnd(response.writeHead(200, { "content-encoding": "gzip" }), EMPTY_MEMBER),
    ],
    ["an answer without end", (_, response) => sendWithoutEnd(response, " ".repeat(65_536))],
    ["a length that is announced", (_, response) => response.writeHead(200, { "content-length": 9e12 }).write(" ")],
  ];

  test.each(servers)(
    "A download that is too large is refused with the limit, and nothing of it is kept: %s",
    async (_what, listener) => {
      await using server = await serve(listener);
      await using temporary = await mkdtempDisposable(join(tmpdir(), "hostile-"));
      vi.stubEnv("TMPDIR", temporary.path);
      const fault = await faultOf(crawl(server.url));
      expect(fault).toMatchObject({ code: "too_large", retryable: false });
      expect(fault.message).toMatch(/larger than 1 MiB.*MAX_ARTIFACT_MB/);
      expect(await readdir(temporary.path)).toEqual([]);
    },
  );

  test("A download is never written beyond the limit, and is deleted before the sync goes on without it", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
    });
    await using temporary = await mkdtempDisposable(join(tmpdir(), "hostile-"));
    const local = join(temporary.path, "manifest.json");
    await writeFile(local, MANIFEST);
    vi.stubEnv("TMPDIR", temporary.path);
    const connector = createDbtConnector(NETWORK);
    const { signal } = new AbortController();
    const context = { mode: "full", previousState: null, signal, now: () => new Date(0) } as const;
    const left: string[][] = [];
    for await (const event of connector.pull.crawl({ manifest: local, catalog: server.url, instance: "" }, context)) {
      if (event.kind !== "asset") continue;
      const folder = (await readdir(temporary.path)).find((name) => name !== "manifest.json") ?? "";
      left.push(await readdir(join(temporary.path, folder)));
    }
    expect(left).toEqual([[]]);
  });

  test("A file that is too large is refused with the limit", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "hostile-"));
    const path = join(folder.path, "manifest.json");
    await writeFile(path, "");
    await truncate(path, 8 * 1024 * MIB);
    expect((await stat(path)).size).toBeGreaterThan(NETWORK.maxBytes);
    const fault = await faultOf(crawl(path));
    expect(fault).toMatchObject({ code: "too_large", object: "manifest.json", location: path, retryable: false });
    expect(fault.message).toMatch(/larger than 1 MiB.*MAX_ARTIFACT_MB/);
  });
});

test.runIf(existsSync("/proc/version"))(
  "A file of the system, which tells no size, is counted as it is read",
  async () => {
    expect(await faultOf(crawl("/proc/version", { network: { maxBytes: 1 } }))).toMatchObject({ code: "too_large" });
  },
);

test("A download from a server that sends a byte now and then is given up as too slow", async () => {
  await using server = await serve((_, response) => {
    const drip = setInterval(() => response.write(" "), 5);
    response.on("close", () => clearInterval(drip));
  });
  const network = { idleTimeoutMs: 200, leastBytesPerIdle: 10_000 };
  expect(await faultOf(crawl(server.url, { network }))).toMatchObject({ code: "timeout", retryable: true });
});

test("An answer that ends before its announced length is no artifact", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-length": MANIFEST.length + 10 });
    response.write(MANIFEST, () => response.destroy());
  });
  expect(await faultOf(crawl(server.url))).toMatchObject({ code: "unreachable", retryable: true });
});

test("A name with two addresses on which no server listens is unreachable, and the reason shows no address", async () => {
  // Nothing listens on port 1.
  const network = { resolve: resolveTo("127.0.0.1", "127.0.0.2"), privateSources: ["127.0.0.0/8"] };
  const { message } = await faultOf(crawl("http://artifacts.example.com:1/manifest.json", { network }));
  expect(message).toMatch(/cannot be reached: ECONNREFUSED\.$/);
});

test("The settings decide which private networks are read and how large an artifact may be", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(2 * MIB, " ")));
  });
  const faultUnder = async (env: Record<string, string>) => {
    const connector = createConnectorFinder(parseSettings(env), null)("dbt");
    if (!connector?.pull) throw new Error("There is no connector for dbt.");
    const context = { mode: "full", previousState: null, signal: new AbortController().signal, now: () => new Date(0) };
    const events = connector.pull.crawl({ manifest: server.url }, context as never, new AspectTable(), () =>
      Promise.resolve([]),
    );
    return (await faultOf(Array.fromAsync(events))).code;
  };
  expect(await faultUnder({})).toBe("private_address");
  expect(await faultUnder({ ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" })).toBe("malformed_json");
  expect(await faultUnder({ ALLOW_PRIVATE_SOURCES: "127.0.0.0/8", MAX_ARTIFACT_MB: "1" })).toBe("too_large");
});
