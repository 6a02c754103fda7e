import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { type RawAnswer, sendRaw } from "../../support/raw-http.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

const PATH = "/api/v1/catalog/assets";
const send = (text: string): Promise<RawAnswer> => sendRaw(running.url, text);

function expectOneErrorBody({ status, headers, body }: RawAnswer, code: string): void {
  expect(JSON.parse(body)).toEqual({ error: code, message: expect.any(String) });
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
}

describe("Requests that Node's parser refuses", () => {
  test.each([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["an unknown method", `FETCH ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ["a space in its path", `GET ${PATH}?search=a b HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ["raw bytes in its query", `GET ${PATH}?search=\xff HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ["a header without a colon", `GET ${PATH} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`, 400],
    ["headers without end", `GET ${PATH} HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("A request with %s gets the one error body of the parser", async (_what, text, status) => {
    const answer = await send(text);
    expect(answer.status).toBe(status);
    expect(answer.headers["connection"]).toBe("close");
    expectOneErrorBody(answer, "bad_request");
  });
});

const idOf = async (given: string) =>
  (await send(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Request-ID: ${given}\r\nnonsense\r\n\r\n`)).headers["x-request-id"];

describe("The answer to a request that Node's parser refuses", () => {
  test("The answer to a request that the parser refuses has the request's id, or a new one if that is no UUID", async () => {
    const id = "0b7f7b1e-5f2c-4c5e-9a2e-3a4b5c6d7e8f";
    expect(await idOf(id)).toBe(id);
    expect(await idOf("none")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(["hello\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nnonsense\r\n\r\n"])(
    "The answer to a request that the parser refuses shows nothing of the parser: %j",
    async (text) => {
      const { message } = JSON.parse((await send(text)).body);
      expect(message).toBe("This is no well-formed HTTP request.");
    },
  );
});

describe("Malformed Authorization headers", () => {
  test.each([
    ["a line feed", "Authorization: Bearer abc\ndef"],
    ["a carriage return", "Authorization: Bearer abc\rdef"],
    ["a carriage return before what looks like a header", "Authorization: Bearer abc\rdef: ghi"],
    ["a line break", "authorization: Bearer abc\r\ndef"],
    ["a folded line", "AUTHORIZATION: Bearer abc\r\n def"],
    ["a NUL", "Authorization: Bearer abc\0def"],
  ])("An Authorization header with %s is invalid", async (_what, header) => {
    const answer = await send(`GET ${PATH} HTTP/1.1\r\n${header}\r\nHost: x\r\n\r\n`);
    expect(answer.status).toBe(401);
    expectOneErrorBody(answer, "invalid_auth_header");
  });

  test("Several Authorization headers are invalid", async () => {
    const bearer = `Authorization: Bearer ${running.token}\r\n`;
    const answer = await send(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${bearer}${bearer}\r\n`);
    expect(answer.status).toBe(401);
    expectOneErrorBody(answer, "invalid_auth_header");
  });

  test("A fault in the header after Authorization is not a fault of Authorization", async () => {
    const answer = await send(`GET ${PATH} HTTP/1.1\r\nAuthorization: Bearer abc\r\nX: a\0b\r\n\r\n`);
    expect(answer.status).toBe(400);
  });
});

test("A request without a Host has the one error body", async () => {
  const { status, body } = await send("GET /nonsense HTTP/1.1\r\n\r\n");
  expect([status, JSON.parse(body)]).toMatchObject([400, { error: "bad_request", details: [{ field: "Host" }] }]);
});

test.each(["http://x", "http://[", "http://x:nonsense"])(
  "A target may begin with an origin, such as %s",
  async (origin) => {
    const found = await send(`GET ${origin}/health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
    const bare = await send(`GET ${origin} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([found.status, bare.status]).toEqual([200, 302]);
  },
);

test("An unknown expectation is ignored", async () => {
  const { status } = await send("GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n");
  expect(status).toBe(200);
});

test("A body that is too large is refused before it is sent", async () => {
  const head = `POST /api/v1/connectors/x/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.token}\r\n`;
  const answer = await send(`${head}Content-Type: application/json\r\nContent-Length: 5000000000\r\n\r\n`);
  expect(answer.status).toBe(413);
});

test("A body without an announced length is read only up to the limit", async () => {
  const head = `POST /api/v1/connectors/x/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${running.token}\r\n`;
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const text = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`;
  expect((await send(text)).status).toBe(413);
});
