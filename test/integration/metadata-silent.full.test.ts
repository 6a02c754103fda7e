/** A PostgreSQL that becomes silent: its connections stay open, and nothing answers. */
import { describe, expect, it, type TestContext } from "vitest";

import { systemClock, systemRandom } from "../../src/clock.ts";
import { openMetadataStore } from "../../src/metadata/store.ts";
import { createPostgresSignals } from "../../src/metadata/postgres/signals.ts";
import type { Signals } from "../../src/metadata/signals.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";
import { waitUntil } from "../support/shell-server.ts";
import { type SilentProxy, startSilentProxy } from "../support/silent-proxy.ts";

type AtEnd = TestContext["onTestFinished"];

// The tests run side by side, because they mostly wait.
describe.runIf(hasPostgres).concurrent("a silent metadata store", () => {
  const { makeDatabase, server } = usePostgres();

  /** A database, and a connection to it that can become silent. */
  async function makeRoad(atEnd: AtEnd): Promise<{ url: string; road: SilentProxy; direct: string }> {
    const { url } = await makeDatabase();
    const road = await startSilentProxy(server().port);
    atEnd(() => road.close());
    return { direct: url.url, url: url.url.replace(`:${server().port}/`, `:${road.port}/`), road };
  }

  it("A silent PostgreSQL does not delay the sender of a signal, and gets the signal when it answers again", async ({
    onTestFinished: atEnd,
  }) => {
    const { url, direct, road } = await makeRoad(atEnd);
    const [sender, receiver] = [open(url, atEnd), open(direct, atEnd)];
    const [connected, heard] = [listen(sender), listen(receiver)];
    await Promise.all([connected(), heard()]);
    road.fallSilent();
    // Only the first signal waits for an answer, two seconds, because a request that stores events waits for it.
    const began = performance.now();
    for (let i = 0; i < 20; i++) await sender.send("syncs");
    expect(performance.now() - began).toBeLessThan(20_000);
    road.speak();
    await expect(heard()).resolves.toBeUndefined();
  });

  it("Listeners leave a silent PostgreSQL for a new connection, and look for what they missed", async ({
    onTestFinished: atEnd,
  }) => {
    const { url, road } = await makeRoad(atEnd);
    const listener = open(url, atEnd);
    const heard = listen(listener);
    await heard();
    road.fallSilent();
    road.replace();
    await expect(heard()).resolves.toBeUndefined();
  });

  it("A PostgreSQL is known to be silent after a while: waiting calls are refused, and so are new ones until it answers", async ({
    onTestFinished: atEnd,
  }) => {
    const { url, road } = await makeRoad(atEnd);
    const store = await openMetadataStore({
      url: { kind: "postgres", url },
      secretKey: Buffer.alloc(32, "secret"),
      clock: systemClock,
      random: systemRandom,
    });
    const refused = expect.objectContaining({ code: "unavailable" });
    const add = (name: string) => store.workspaces.create({ name, kind: "live" }).catch((error: unknown) => error);
    const ask = () => store.check().catch((error: unknown) => error);
    road.fallSilent();
    // More calls than one process has connections.
    const first = await Promise.all([...Array.from({ length: 30 }, ask), add("a"), add("b")]);
    expect(first).toEqual(first.map(() => refused));
    for (let i = 0; i < 100; i++) expect(await ask()).toEqual(refused);
    road.speak();
    await waitUntil(async () => (await ask()) === undefined);
    expect(await add("c")).toMatchObject({ name: "c" });
    road.fallSilent();
    const waits = ask();
    await store.close();
    expect(await waits).toEqual(refused);
  });

  it("A silent PostgreSQL does not delay the end of listeners", async ({ onTestFinished: atEnd }) => {
    const { url, road } = await makeRoad(atEnd);
    const listener = createPostgresSignals(url);
    const heard = listen(listener);
    await heard();
    road.fallSilent();
    await expect(listener.close()).resolves.toBeUndefined();
  });
});

function open(url: string, atEnd: AtEnd): Signals {
  const signals = createPostgresSignals(url);
  atEnd(() => signals.close());
  return signals;
}

/** Resolves when a signal comes for the first time, and then at each signal. */
function listen(signals: Signals): () => Promise<void> {
  let heard = Promise.withResolvers<void>();
  signals.listen("syncs", () => heard.resolve());
  return async () => {
    await heard.promise;
    heard = Promise.withResolvers<void>();
  };
}
