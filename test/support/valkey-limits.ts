/** The limits store of a server on Valkey, with a time that the test moves. */
import { pino } from "pino";
import { Redis } from "iovalkey";

import { systemCountdown, systemRandom } from "../../src/clock.ts";
import type { Limits } from "../../src/limits/limits.ts";
import { openValkeyLimits, type ValkeyLimitsOptions } from "../../src/limits/valkey/index.ts";
import { parseValkeyAddress } from "../../src/settings/valkey-address.ts";
import { createTestClock, MINUTE_MS, type TestClock } from "./clock.ts";
import { present } from "./present.ts";
import type { ValkeyServer } from "./valkey.ts";

export interface OpenedLimits extends Limits {
  /** The logged lines. */
  lines: { msg: string; [name: string]: unknown }[];
}

/** Opens it as one server of a service would. Servers share their counts if they have the same secret key. */
export async function openLimitsOn(
  url: string,
  options: Partial<ValkeyLimitsOptions> & Pick<ValkeyLimitsOptions, "secretKey">,
): Promise<OpenedLimits> {
  const lines: OpenedLimits["lines"] = [];
  const limits = await openValkeyLimits({
    address: present(parseValkeyAddress(url)),
    blockMs: MINUTE_MS,
    clock: createTestClock(),
    random: systemRandom,
    countdown: systemCountdown,
    // Long enough for a busy machine.
    connectMs: 10_000,
    log: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    ...options,
  });
  return { ...limits, lines };
}

/** A time instead of the server's, which moves together with the clocks of its clients. */
export interface SharedTime {
  clock: TestClock;
  /** For the scripts: they read the time from a key. */
  timeSource: string;
  advance: (ms: number) => Promise<void>;
  close: () => void;
}

let times = 0;

export async function shareTime({ port }: ValkeyServer): Promise<SharedTime> {
  const clock = createTestClock();
  const redis = new Redis({ host: "127.0.0.1", port });
  // The server may be killed in the meantime.
  redis.on("error", () => {});
  const key = `time:${++times}`;
  const write = async (): Promise<void> => void (await redis.set(key, clock.now().getTime()));
  await write();
  return {
    clock,
    timeSource: `\n  return tonumber(redis.call("GET", "${key}"))`,
    async advance(ms) {
      clock.advance(ms);
      await write();
    },
    close: () => redis.disconnect(),
  };
}
