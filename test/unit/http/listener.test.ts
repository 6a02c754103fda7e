/** A server that is stopped while it starts. */
import { createServer } from "node:http";

import { expect, test } from "vitest";

import { createListener } from "../../../src/http/listener.ts";
import { parseSettings } from "../../../src/settings/settings.ts";

function open() {
  const server = createServer();
  return { server, listener: createListener(server, parseSettings({ HOST: "127.0.0.1", PORT: "0" })) };
}

const STOPPED = { code: "unavailable", message: "The server was stopped before it listened." };

test("A server that was stopped before it listens does not begin to", async () => {
  const { server, listener } = open();
  await listener.close();
  await expect(listener.listen()).rejects.toMatchObject(STOPPED);
  expect(server.listening).toBe(false);
});

test("A server that is stopped while it begins to listen does not go on", async () => {
  const { server, listener } = open();
  const [listened] = await Promise.allSettled([listener.listen(), listener.close()]);
  expect(listened).toMatchObject({ status: "rejected", reason: STOPPED });
  expect(server.listening).toBe(false);
});
