import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { toSyncId } from "../../src/ids.ts";
import { createLocalQueue } from "../../src/ingest/queue/local.ts";
import { MINUTE_MS } from "../support/clock.ts";
import { openTestMetadata } from "../support/metadata-store.ts";
import { SUCCESS } from "../support/syncs.ts";

const WORKER = fileURLToPath(new URL("../support/crawl-worker.ts", import.meta.url));
const Report = z.object({ id: z.string(), ran: z.array(z.string()) });

it("Several processes that request a sync at once get one sync, and it runs once", async () => {
  const { url, workspace, addConnector } = await openTestMetadata();
  const shop = await addConnector("shop");
  const work = async () => {
    const args = [WORKER, JSON.stringify(url), workspace.id, shop.id, "once"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return Report.parse(JSON.parse(stdout));
  };
  const reports = await Promise.all([work(), work(), work()]);
  const ids = new Set(reports.map(({ id }) => id));
  expect(ids.size).toBe(1);
  expect(reports.flatMap(({ ran }) => ran)).toEqual([...ids]);
});

it("The sync of a killed process is taken up by another", async () => {
  const { url, store, clock, workspace, addConnector } = await openTestMetadata();
  const shop = await addConnector("shop");
  const victim = spawn(process.execPath, [WORKER, JSON.stringify(url), workspace.id, shop.id, "hang"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void victim.kill("SIGKILL"));
  const [output]: unknown[] = await once(victim.stdout, "data");
  victim.kill("SIGKILL");
  await once(victim, "exit");

  clock.advance(Date.now() - clock.now().getTime());
  const ran: string[] = [];
  const queue = createLocalQueue({
    store,
    clock,
    sleep: () => queue.tick(),
    run(sync) {
      ran.push(sync.id);
      return Promise.resolve(SUCCESS);
    },
  });
  await queue.tick();
  expect(ran).toEqual([]);
  clock.advance(MINUTE_MS);
  const sync = await queue.wait(workspace.id, toSyncId(String(output)));
  expect(sync.status).toBe("completed");
  expect(ran).toEqual([sync.id]);
});
