/** What a service answers after its machine's clock was set back by a year. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { makeFirstAdminLink } from "../../src/auth/links/make-links.ts";
import { createFlow, FLOW_SECONDS, openFlow, sealFlow } from "../../src/auth/sso/flow.ts";
import { systemRandom } from "../../src/clock.ts";
import { createSealer } from "../../src/metadata/sealer.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createTestClock, DAY_MS, MINUTE_MS, SECOND_MS } from "../support/clock.ts";
import { createOauthClient, postForm } from "../support/oauth.ts";
import { openPage, tokenOf } from "../support/page.ts";
import { present } from "../support/present.ts";

const YEAR_MS = 365 * DAY_MS;
const clock = createTestClock("2027-01-01T00:00:00Z");
let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ overrides: { clock } });
});
afterAll(() => running.close());
beforeEach(() => clock.advance(YEAR_MS));

const uptime = async () => (await (await fetch(`${running.url}/health`)).json()).uptime_seconds;
const makeLink = async () =>
  tokenOf(present(await makeFirstAdminLink(running.app.logins, await getDefaultWorkspace(running.app.metadata))).url);
const readLink = async (token: string) => (await openPage(running.url).ask("POST", "/auth/link", { token })).status;

test("The health is answered after the clock was set back, and the uptime does not shrink", async () => {
  const before = await uptime();
  clock.advance(-YEAR_MS);
  expect(await uptime()).toBe(before);
  clock.advance(90 * SECOND_MS);
  expect(await uptime()).toBe(before + 90);
});

test("An access token is not valid for a year longer after the clock was set back", async () => {
  const { clientId: client_id, clientSecret: client_secret } = await createOauthClient(running.app, "analyst");
  const form = { grant_type: "client_credentials", client_id, client_secret };
  const { body } = await postForm(running.url, form);
  const headers = { authorization: `Bearer ${String(body["access_token"])}` };
  const status = async () => (await fetch(`${running.url}/api/v1/metrics`, { headers })).status;
  clock.advance(-MINUTE_MS);
  expect(await status()).toBe(200);
  clock.advance(-YEAR_MS);
  expect(await status()).toBe(401);
});

test("A one-time link is not valid for a year longer after the clock was set back, and a new one works", async () => {
  const token = await makeLink();
  clock.advance(-YEAR_MS);
  expect(await readLink(token)).toBe(404);
  expect(await readLink(await makeLink())).toBe(200);
});

test("An attempt at single sign-on is not valid for a year longer after the clock was set back", () => {
  const sealer = createSealer(Buffer.alloc(32, 7), systemRandom);
  const cookie = sealFlow(sealer, createFlow({ clock, random: systemRandom }, { returnTo: "/", workspace: null }));
  expect(openFlow(sealer, clock, cookie)).not.toBeNull();
  clock.advance(-YEAR_MS);
  expect(openFlow(sealer, clock, cookie)).toBeNull();
  clock.advance(YEAR_MS + FLOW_SECONDS * SECOND_MS);
  expect(openFlow(sealer, clock, cookie)).toBeNull();
});

test("A worker that stopped before the clock was set back is not counted as alive", async () => {
  const { workers } = running.app.metadata;
  const served = await workers.countAlive();
  await workers.noteAlive("dead");
  expect(await workers.countAlive()).toBe(served + 1);
  clock.advance(-YEAR_MS);
  expect(await workers.countAlive()).toBe(0);
  await workers.noteAlive("alive");
  expect(await workers.countAlive()).toBe(1);
});
