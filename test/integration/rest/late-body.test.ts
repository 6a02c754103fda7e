/** A client may send the head of a request first, and the body after the rights of its token have changed. */
import { once } from "node:events";
import { connect } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { revokeToken } from "../../../src/auth/revocation.ts";
import { setAllowlist } from "../../../src/auth/security-settings.ts";
import { changeUser } from "../../../src/auth/users.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { ALL_SCOPES, type GuardBench, openGuardBench } from "../../support/guard-bench.ts";

const SOURCE = "192.0.2.1";
const SYNC = "/api/v1/connectors/con_0/sync";

let bench: GuardBench;
beforeAll(async () => {
  bench = await openGuardBench();
});
afterAll(() => bench.running.close());

interface Held {
  /** Sends the body, and returns the answer. */
  finish: () => Promise<{ status: number; body: string }>;
}

async function hold(token: string | null, path: string, body: string, type = "application/json"): Promise<Held> {
  const { hostname, port } = new URL(bench.running.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding("latin1");
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: x",
    `X-Forwarded-For: ${SOURCE}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
    "Connection: close",
  ];
  socket.write([...lines, "", ""].join("\r\n"));
  // By then the service has checked the head.
  await once(socket, "data");
  return {
    async finish() {
      socket.write(body);
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
    },
  };
}

const query = (text: string): string => JSON.stringify({ query: text });

/** A person with a key, two requests in progress with it, and their answers. */
async function holdTwo(email: string) {
  const by = await bench.addUser(email, "admin");
  const { key, token } = await bench.createKey(by, ALL_SCOPES);
  const held = [await hold(token, "/graphql", query("{ people { nodes { email } } }")), await hold(token, SYNC, "{}")];
  return { id: by.userId, key, finish: () => Promise.all(held.map((each) => each.finish())) };
}

test("A token that was revoked before the body arrived is refused", async () => {
  const { key, finish } = await holdTwo("revoked@example.com");
  await revokeToken(bench.parts, bench.home, key.id);
  const answers = await finish();
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});

test("The token of a user who was disabled before the body arrived is refused", async () => {
  const { id, finish } = await holdTwo("disabled@example.com");
  await changeUser(bench.parts, bench.home, { id, disabled: true });
  const answers = await finish();
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});

test("The token of a user who was demoted before the body arrived has only the new rights", async () => {
  const { id, finish } = await holdTwo("demoted@example.com");
  await changeUser(bench.parts, bench.home, { id, role: "analyst" });
  const [graphql, rest] = await finish();
  expect(graphql?.body).toContain('"code":"FORBIDDEN"');
  expect(rest?.status).toBe(403);
});

test("An address that left the allowlist before the body arrived is refused", async () => {
  const { finish } = await holdTwo("elsewhere@example.com");
  await setAllowlist(bench.parts, bench.home, ["198.51.100.0/24"]);
  const answers = await finish();
  await setAllowlist(bench.parts, bench.home, []);
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
});

test("An address that was locked out before the body arrived is refused, also at the token endpoint", async () => {
  const { clientId, clientSecret } = await bench.addClient("late");
  const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  const request = await hold(null, "/oauth/token", form, "application/x-www-form-urlencoded");
  const { finish } = await holdTwo("locked@example.com");
  const nowhere = { headers: { "x-forwarded-for": SOURCE } };
  for (let time = 0; time < 20; time++) await fetch(`${bench.running.url}/api/v1/metrics`, nowhere);
  const answers = [await request.finish(), ...(await finish())];
  bench.clock.advance(60 * MINUTE_MS);
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
});

test("A token that is still valid when the body arrives is accepted", async () => {
  const { finish } = await holdTwo("standing@example.com");
  const answers = await finish();
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
});
