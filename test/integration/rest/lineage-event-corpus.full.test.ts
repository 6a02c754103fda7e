/** The events of other tools, over HTTP: those in `test/corpus/openlineage`. */
import { expect, onTestFinished, test } from "vitest";

import { startApp } from "../../support/app.ts";
import { type Event, readCorpus } from "../../support/lineage-events.ts";
import { at, createRestClient, type Json } from "../../support/rest-client.ts";

async function openService() {
  // The event is shown when it is answered, however slow the machine is.
  const running = await startApp({ overrides: { countdown: () => () => {} } });
  onTestFinished(() => running.close());
  const ask = createRestClient(running);

  async function send(event: Event): Promise<void> {
    const { status } = await ask("/api/v1/lineage", { method: "POST", body: JSON.stringify(event) });
    expect(status).toBe(201);
  }

  /** Everything that the catalog shows, in a fixed order. */
  async function picture(): Promise<unknown> {
    const { body } = await ask("/api/v1/catalog/assets?limit=200");
    const assets = at(body, "data");
    const ids = (Array.isArray(assets) ? assets : []).map((asset) => String(at(asset, "id")));
    const pictures: unknown[] = [];
    for (const id of ids) {
      const asset = await ask(`/api/v1/catalog/assets/${id}`);
      const down = await ask(`/api/v1/lineage/downstream?asset_id=${id}&depth=1&include_indirect=true`);
      expect([asset.status, down.status]).toEqual([200, 200]);
      const { updated_at: _, ...shown } = asset.body as Record<string, Json>;
      pictures.push([shown, at(down.body, "edges")]);
    }
    return pictures;
  }
  return { send, picture };
}

test.each(readCorpus())(
  "Events give one picture in any order, and if they are sent twice: $name",
  async ({ events }) => {
    const first = await openService();
    for (const event of events) await first.send(event);
    const once = await first.picture();
    for (const event of events) await first.send(event);
    expect(await first.picture()).toEqual(once);
    const second = await openService();
    for (const event of events.toReversed()) await second.send(event);
    expect(await second.picture()).toEqual(once);
    expect(JSON.stringify(once).length).toBeGreaterThan(500);
  },
);
