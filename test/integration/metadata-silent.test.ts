/** A PostgreSQL that falls silent: its connections stay open, and nothing answers. */
import { describe, expect, it, onTestFinished } from "vitest";

import { createPostgresSignals } from "../../src/metadata/postgres/signals.ts";
import type { Signals } from "../../src/metadata/signals.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";
import { type SilentProxy, startSilentProxy } from "../support/silent-proxy.ts";

describe.runIf(hasPostgres)("a metadata store that falls silent", { timeout: 20_000 }, () => {
  const { makeDatabase, server } = usePostgres();

  /** A database, and a way to it that can fall silent. */
  async function makeRoad(): Promise<{ url: string; road: SilentProxy; direct: string }> {
    const { url } = await makeDatabase();
    const road = await startSilentProxy(server().port);
    onTestFinished(() => road.close());
    return { direct: url.url, url: url.url.replace(`:${server().port}/`, `:${road.port}/`), road };
  }

  it("holds up nobody who sends a signal, and gets it when it answers again", async () => {
    const { url, direct, road } = await makeRoad();
    const [sender, receiver] = [open(url), open(direct)];
    const [connected, heard] = [listen(sender), listen(receiver)];
    await Promise.all([connected(), heard()]);
    road.fallSilent();
    // Each one waits for at most a moment: a request that stores events waits for it.
    for (let i = 0; i < 20; i++) await sender.send("syncs");
    road.speak();
    await expect(heard()).resolves.toBeUndefined();
  });

  it("is left for a new connection by those who listen, who then look for what they missed", async () => {
    const { url, road } = await makeRoad();
    const listener = open(url);
    const heard = listen(listener);
    await heard();
    road.fallSilent();
    road.replace();
    await expect(heard()).resolves.toBeUndefined();
  });

  it("does not hold up the end of those who listen", async () => {
    const { url, road } = await makeRoad();
    const listener = createPostgresSignals(url);
    const heard = listen(listener);
    await heard();
    road.fallSilent();
    await expect(listener.close()).resolves.toBeUndefined();
  });
});

function open(url: string): Signals {
  const signals = createPostgresSignals(url);
  onTestFinished(() => signals.close());
  return signals;
}

/** Resolves when a signal is heard for the first time, and then each time. */
function listen(signals: Signals): () => Promise<void> {
  let heard = Promise.withResolvers<void>();
  signals.listen("syncs", () => heard.resolve());
  return async () => {
    await heard.promise;
    heard = Promise.withResolvers<void>();
  };
}
