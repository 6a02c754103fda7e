/** The headers that protect browsers, on pages, answers and refusals. */
import { expect, onTestFinished, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { findFreePort } from "../../support/free-port.ts";
import { sendRaw } from "../../support/raw-http.ts";

const HTML = { accept: "text/html" };
const PATHS = [
  "/",
  "/docs",
  "/docs/redoc.js",
  "/graphql",
  "/graphql/graphiql.js",
  "/graphql/graphiql.css",
  "/health",
  "/api/v1/metrics",
];

async function start(env: Record<string, string> = {}): Promise<RunningApp> {
  const running = await startApp({ env });
  onTestFinished(() => running.close());
  return running;
}

const policyOf = async (url: string, path: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: HTML })).headers.get("content-security-policy") ?? "";

test("No page of the origin permits inline scripts or styles, and each has its own opener", async () => {
  const { url } = await start();
  for (const path of PATHS) {
    const { headers } = await fetch(`${url}${path}`, { headers: HTML, redirect: "manual" });
    const policy = headers.get("content-security-policy") ?? "";
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
    expect([path, policy]).toEqual([path, expect.not.stringMatching(/unsafe-|\*/)]);
    expect([path, headers.get("cross-origin-opener-policy")]).toEqual([path, "same-origin"]);
  }
});

test("GraphiQL's page has a nonce of its own for each answer, and nothing else may run or style it", async () => {
  const { url } = await start();
  const nonces = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const response = await fetch(`${url}/graphql`, { headers: HTML });
    const [, nonce = ""] =
      /script-src 'nonce-([\w-]{22})'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
    const html = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(html.match(/<(?:script|style|link rel="stylesheet")[^>]*>/g)).toEqual([
      `<link rel="stylesheet" nonce="${nonce}" href="/graphql/graphiql.css" />`,
      `<script nonce="${nonce}" src="/graphql/graphiql.js">`,
    ]);
    expect(html).not.toMatch(/ (?:style|on\w+)=/);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
  expect(await policyOf(url, "/graphql")).not.toMatch(/script-src[^;]*'self'/);
});

/** A service that clients reach at another address. Returns the address at which it listens. */
async function startBehind(publicUrl: string): Promise<string> {
  const port = await findFreePort();
  await start({ PUBLIC_URL: publicUrl, PORT: String(port) });
  return `http://127.0.0.1:${port}`;
}

test("Under an https address every answer tells browsers to use only https, even the answer to a malformed request", async () => {
  const url = await startBehind("https://tributary.example.com");
  for (const path of PATHS) {
    const { headers } = await fetch(`${url}${path}`, { headers: HTML, redirect: "manual" });
    expect([path, headers.get("strict-transport-security")]).toEqual([path, "max-age=31536000"]);
  }
  expect((await sendRaw(url, "hello\r\n\r\n")).headers["strict-transport-security"]).toBe("max-age=31536000");
});

test("Under an http address no answer tells browsers to use https", async () => {
  for (const url of [(await start()).url, await startBehind("http://tributary.internal")]) {
    expect((await fetch(`${url}/health`)).headers.has("strict-transport-security")).toBe(false);
    expect((await sendRaw(url, "hello\r\n\r\n")).headers["strict-transport-security"]).toBeUndefined();
  }
});
