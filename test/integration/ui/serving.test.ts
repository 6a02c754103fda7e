/** The pages and files of the workspace UI over HTTP, without a browser. */
import { hash } from "node:crypto";

import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { prepareUi } from "../../../src/ui-build/prepare.ts";
import type { BuiltFiles } from "../../../src/ui-build/built-files.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { sendRaw } from "../../support/raw-http.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let files: BuiltFiles;
let running: RunningApp;
beforeAll(async () => {
  const ui = prepareUi(pino({ level: "error" }, pino.destination(2)));
  running = await startApp({ overrides: { ui } });
  files = (await ui) ?? new Map();
});
afterAll(() => running.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${running.url}${path}`, { headers, redirect: "manual" });
const scripts = () => [...files.keys()].filter((path) => path.startsWith("/static/") && path.endsWith(".js"));
const textOf = (path: string): string => files.get(path)?.plain.toString() ?? "";

describe("the pages of the workspace UI", () => {
  it.each(["/", "/catalog", "/assets/0190", "/settings/api", "/welcome"])(
    "The path %s answers the one HTML page of the workspace UI",
    async (path) => {
      const response = await get(path, { accept: BROWSER });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toBe(textOf("/index.html"));
    },
  );

  it("The page of the workspace UI may use only the service's own files and answers, and nothing inline", async () => {
    const policy = (await get("/", { accept: BROWSER })).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(textOf("/index.html")).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|(?:src|href)="(?!\/)/);
  });

  it("An unknown path is an error for programs, not the page of the workspace UI", async () => {
    for (const accept of ["*/*", "application/json"]) expect((await get("/catalog", { accept })).status).toBe(404);
    for (const path of ["/api/v2/assets", "/auth/nothing", "/oauth/nothing", "/static/nothing.js", "/.well-known/x"]) {
      expect([path, [401, 404].includes((await get(path, { accept: BROWSER })).status)]).toEqual([path, true]);
    }
    const posted = await fetch(`${running.url}/catalog`, { method: "POST", headers: { accept: BROWSER } });
    expect(posted.status).toBe(404);
  });

  it("The workspace UI does not replace the service's other documents", async () => {
    expect(await (await get("/docs", { accept: BROWSER })).text()).toContain("REST API");
    expect(await (await get("/graphql", { accept: BROWSER })).text()).toContain("GraphiQL");
  });
});

describe("the files of the workspace UI", () => {
  it("Browsers keep the UI's files for a year, because their names contain a hash", async () => {
    const [path = ""] = scripts();
    const { status, headers } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("Files without a hash in their name are requested again, and sent again only if they changed", async () => {
    const { headers } = await get("/theme.js");
    expect(headers.get("cache-control")).toBe("no-cache");
    const known = `If-None-Match: ${headers.get("etag")}`;
    const again = await sendRaw(running.url, `GET /theme.js HTTP/1.1\r\nHost: x\r\n${known}\r\n\r\n`);
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  it.each(["br", "gzip", "identity"])("The UI's files come as %s if the client accepts only that", async (encoding) => {
    const [path = ""] = scripts();
    const response = await get(path, { "accept-encoding": encoding });
    expect(response.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
    expect(hash("sha256", await response.text())).toBe(hash("sha256", textOf(path)));
  });

  it("The first page loads less than 200 kB, gzipped", () => {
    const loaded = new Set<string>();
    const follow = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const imports = textOf(path).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)/g);
      for (const [, imported = ""] of imports) follow(`/static/${imported}`);
    };
    const [, entry = ""] = /src="(\/static\/[\w.-]+\.js)"/.exec(textOf("/index.html")) ?? [];
    const catalog = scripts().find((path) => path.includes("/catalog-page")) ?? "";
    for (const path of [entry, catalog]) follow(path);
    expect([...loaded].filter((path) => !files.has(path))).toEqual([]);
    expect(loaded.size).toBeGreaterThan(4);
    // All styles, fonts and pictures are counted, even those of later pages.
    const first = [...files].filter(([path]) => loaded.has(path) || !path.endsWith(".js"));
    const bytes = first.reduce((sum, [, { plain, gzipped }]) => sum + (gzipped ?? plain).length, 0);
    expect(bytes).toBeLessThan(200_000);
  });

  it("The UI is built once: a later start only reads its files, without another process", async () => {
    const { execPath } = process;
    process.execPath = "/no/program";
    try {
      expect(await prepareUi(pino({ level: "silent" }))).toEqual(files);
    } finally {
      process.execPath = execPath;
    }
  });
});

describe("a service whose UI could not be built", () => {
  it("A service whose UI could not be built says so on its pages, and answers everything else", async () => {
    const broken = await startApp({ overrides: { ui: Promise.resolve(null) } });
    try {
      const page = await fetch(`${broken.url}/catalog`, { headers: { accept: BROWSER } });
      expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("could not be built")]);
      expect((await fetch(`${broken.url}/health`)).status).toBe(200);
    } finally {
      await broken.close();
    }
  });
});
