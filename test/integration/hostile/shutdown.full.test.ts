/** A server that has to stop while work is in progress. Tests that wait for the end of a grace period run side by side. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { startApp } from "../../support/app.ts";
import { runCommandHere } from "../../support/command-line.ts";
import { readLog, startFromShell, waitUntil } from "../../support/shell-server.ts";

const IN_ORDER = { code: 0, signal: null };

/** A connection that the server has accepted, without a request so far. */
async function openConnection(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // The server accepts connections in their order.
  await fetch(`${origin}/health/live`, { headers: { Connection: "close" } });
  return socket;
}

/** A server that sends only a part of its answer. */
async function startTrickle(
  atEnd: typeof onTestFinished = onTestFinished,
): Promise<{ origin: string; asked: Promise<void> }> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    resolve();
    response.writeHead(200, { "Content-Type": "application/json" });
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, asked };
}

it("A stopping server refuses requests on a connection that is still open, and closes it", async () => {
  const { app, url, close } = await startApp();
  const socket = await openConnection(url);
  socket.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n");
  await fetch(`${url}/health`, { headers: { Connection: "close" } });
  const closed = app.close();
  socket.write("\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toMatch(/^Connection: close\r$/m);
  expect(answer).toMatch(/^Retry-After: 5\r$/m);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({
    error: "unavailable",
    message: "The service is stopping.",
  });
  await closed;
  await close();
});

it("A stopping server answers the requests in progress, and then closes the connection", async () => {
  const { app, url, token, close } = await startApp();
  const socket = await openConnection(url);
  const body = JSON.stringify({ query: "{ viewer { id } }" });
  const heads = ["Host: localhost", `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  socket.write(`POST /graphql HTTP/1.1\r\n${heads.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n{`);
  // When another request is answered, the server has read the head of this one.
  await fetch(`${url}/health`, { headers: { Connection: "close" } });
  const closed = app.close();
  socket.write(body.slice(1));
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/^Connection: close\r$/m);
  await closed;
  await close();
});

it("A server stops in good order while a sync's download trickles, and gives the sync back to the queue", async () => {
  const { origin, asked } = await startTrickle();
  const server = await startFromShell({ env: { ALLOW_PRIVATE_SOURCES: "127.0.0.1/32" } });
  const add = [
    "connector",
    "add",
    "dbt",
    "--no-test",
    "--name",
    "slow",
    "--option",
    `manifest=${origin}/manifest.json`,
  ];
  expect(await runCommandHere(add, server.env)).toMatchObject({ code: 0 });
  expect(await runCommandHere(["sync", "slow"], server.env)).toMatchObject({ code: 0 });
  await asked;
  server.kill("SIGINT");
  expect(await server.ended).toEqual(IN_ORDER);
  expect((await runCommandHere(["connector", "list"], server.env)).stdout).toMatch(/slow .* queued, queued /);
  expect(server.isLocked()).toBe(false);
});

it.concurrent("A server stops in good order while a client is in the middle of its body", async ({
  onTestFinished: atEnd,
}) => {
  const server = await startFromShell({}, atEnd);
  const token = await server.printedKey();
  const socket = await openConnection(server.origin);
  socket.on("error", () => {});
  const heads = ["Host: localhost", `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  socket.write(`POST /graphql HTTP/1.1\r\n${heads.join("\r\n")}\r\nContent-Length: 1000\r\n\r\n{`);
  await server.get("/health");
  server.kill("SIGTERM");
  expect(await server.ended).toEqual(IN_ORDER);
  expect(server.isLocked()).toBe(false);
});

it.concurrent("A server stops in good order while a language model is silent", async ({ onTestFinished: atEnd }) => {
  const { origin, asked } = await startTrickle(atEnd);
  const env = { AGENT_MODEL_URL: `${origin}/v1`, AGENT_MODEL: "silent", AGENT_MODEL_SECONDS: "60" };
  const server = await startFromShell({ env }, atEnd);
  const token = await server.printedKey();
  const post = (path: string, query: string) =>
    fetch(`${server.origin}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
  const metric = '{ name: "revenue", kind: simple, expression: "sum(amount)", owner: "ada@example.com" }';
  const defined = await post("/graphql", `mutation { defineMetric(input: ${metric}) { metric { id } } }`);
  expect(await defined.json()).toMatchObject({ data: { defineMetric: { metric: { id: expect.any(String) } } } });
  const answer = post("/api/v1/agents/query", "Whose turf is revenue, roughly?").catch(() => null);
  await asked;
  server.kill("SIGTERM");
  expect(await server.ended).toEqual(IN_ORDER);
  expect(await answer).toBeNull();
});

const STUCK = new URL("../../support/stuck-thread.ts", import.meta.url);

it.concurrent("A server ends by the signal after nine seconds if a thread cannot be stopped, and logs what it waited for", async ({
  onTestFinished: atEnd,
}) => {
  const server = await startFromShell({ redirect: "2>log", preload: STUCK }, atEnd);
  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: null, signal: "SIGTERM" });
  expect(readLog(join(server.folder, "log"))).toMatchObject([
    { level: 50, waitingFor: [], resources: expect.arrayContaining(["FSReqCallback"]) },
  ]);
  expect(server.isLocked()).toBe(false);
});

it.concurrent("A server ends at once at a second signal", async ({ onTestFinished: atEnd }) => {
  const server = await startFromShell({ redirect: "2>log", preload: STUCK }, atEnd);
  let hasEnded = false;
  void server.ended.finally(() => {
    hasEnded = true;
  });
  await waitUntil(() => {
    server.kill("SIGINT");
    return hasEnded;
  });
  expect(await server.ended).toEqual({ code: null, signal: "SIGINT" });
  expect(readLog(join(server.folder, "log"))).toEqual([]);
  expect(server.isLocked()).toBe(false);
});
