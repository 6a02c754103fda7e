/** A graph store that becomes silent: its connections stay open, and nothing answers. */
import { expect, it, onTestFinished } from "vitest";

import { startApp } from "../support/app.ts";
import { startBoltServer } from "../support/bolt-server.ts";
import { findFreePort } from "../support/free-port.ts";
import { waitUntil } from "../support/shell-server.ts";
import { startSilentProxy } from "../support/silent-proxy.ts";

/** More requests than one key may have in progress, and fewer than may wait. */
const READS = 60;
/** Long enough for a busy machine. Without the watch, the first refusal would come after 65 seconds. */
const SOON_MS = 30_000;

it("A silent graph store soon fails the requests that need it, delays no others of the key, and is used again at once", async () => {
  const port = await findFreePort();
  await startBoltServer(port);
  const road = await startSilentProxy(port);
  onTestFinished(() => road.close());
  const { url, token, close } = await startApp({ env: { GRAPH_URL: `bolt://127.0.0.1:${road.port}` } });
  onTestFinished(close);
  const get = (path: string) =>
    fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(SOON_MS),
    });
  const readAsset = async () => {
    const answer = await get("/api/v1/catalog/assets");
    return [answer.status, answer.headers.get("Retry-After"), (await answer.json()).error];
  };
  await waitUntil(async () => (await get("/health")).status === 200);
  expect(await readAsset()).toEqual([200, null, undefined]);

  road.fallSilent();
  const reads = Array.from({ length: READS }, readAsset);
  const connectors = get("/api/v1/connectors");
  const refusal = [503, "5", "unavailable"];
  expect(await Promise.all(reads)).toEqual(reads.map(() => refusal));
  expect((await connectors).status).toBe(200);
  // From now on no request waits.
  const began = performance.now();
  for (let n = 0; n < READS; n++) expect(await readAsset()).toEqual(refusal);
  expect(performance.now() - began).toBeLessThan(SOON_MS);
  const health = await get("/health");
  expect([health.status, await health.json()]).toMatchObject([503, { dependencies: { graph_db: "down" } }]);

  road.speak();
  await waitUntil(async () => (await readAsset())[0] === 200);
  // The old connections stay silent, and are not used again.
  road.fallSilent();
  expect(await readAsset()).toEqual(refusal);
  road.replace();
  await waitUntil(async () => (await readAsset())[0] === 200);
  expect(await Promise.all(Array.from({ length: READS }, readAsset))).toEqual(reads.map(() => [200, null, undefined]));
});
