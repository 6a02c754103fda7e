/** Keeps the answers to what-ifs for some time, so that a comment on a pull request can link to the whole answer. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

import type { BaseLogger } from "pino";
import { z } from "zod";

import type { Clock } from "../clock.ts";
import type { WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Caller } from "../work/caller.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import { planJson } from "../work/json-slices.ts";
import { createPoller } from "../work/poller.ts";
import { fromImpactJson, toImpactJson } from "./impact-json.ts";
import { impactReport } from "./impact-report.ts";
import type { WhatIfReport } from "./what-if.ts";

export const SAVED_DAYS = 90;
const DAY_MS = 86_400_000;
/** A larger answer is not saved. To read one of this size takes some ten milliseconds. */
const MAX_JSON_BYTES = 4 * 1024 ** 2;
const SWEEP_EVERY_MS = 3_600_000;

const savedReport = z.object({ against: z.string(), impact: impactReport });

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export interface SavedImpactsOptions {
  store: Pick<MetadataStore, "savedImpacts">;
  turns: EventLoopScheduler;
  clock: Clock;
  log: Pick<BaseLogger, "error" | "info">;
}

export function createSavedImpacts({ store: { savedImpacts }, turns, clock, log }: SavedImpactsOptions) {
  const oldest = (): string => new Date(clock.now().getTime() - SAVED_DAYS * DAY_MS).toISOString();

  /** Deletes old answers, every hour. */
  const sweeper = createPoller({
    async look() {
      while (sweeper.state !== "stopped" && (await savedImpacts.removeBefore(oldest())) > 0) await setImmediate();
    },
    everyMs: SWEEP_EVERY_MS,
    onError: (err) => log.error({ err }, "saved impacts that are too old could not be deleted"),
    onRecovery: () => log.info("saved impacts that are too old can be deleted again"),
  });

  return {
    /** @returns the id of the answer; null if it is too large to be saved */
    async save(workspace: WorkspaceId, report: WhatIfReport, caller: Caller): Promise<string | null> {
      const json = { against: report.against, impact: toImpactJson(report, null) };
      const plan = await planJson(json, MAX_JSON_BYTES, () => turns.next(caller));
      if (plan === null) return null;
      const text = plan.slices.map((slice) => slice.text()).join("");
      const id = createHash("sha256").update(text).digest("hex").slice(0, 32);
      await savedImpacts.save(workspace, { id, body: (await pack(text)).toString("base64") });
      return id;
    },
    /** @returns null if there is none, or if it was saved more than 90 days ago */
    async find(workspace: WorkspaceId, id: string): Promise<{ report: WhatIfReport; savedAt: string } | null> {
      const found = await savedImpacts.find(workspace, id, oldest());
      if (found === null) return null;
      const text = (await unpack(Buffer.from(found.body, "base64"), { maxOutputLength: MAX_JSON_BYTES })).toString();
      const saved: unknown = JSON.parse(text);
      const { data } = savedReport.safeParse(saved);
      // An earlier version may have saved it in another form.
      return data === undefined ? null : { report: fromImpactJson(data.impact, data.against), savedAt: found.savedAt };
    },
    sweeper,
  };
}
