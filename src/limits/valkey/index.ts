/** The limits store on a Valkey server, which several servers share. Redis from version 6.2 works too. */
import { createHmac, hkdfSync } from "node:crypto";

import type { Logger } from "pino";

import type { Clock, Countdown, RandomBytes } from "../../clock.ts";
import { toLocation, type ValkeyAddress } from "../../settings/valkey-address.ts";
import { type Limits, type Lockout, type LockoutName, WINDOW_MS } from "../limits.ts";
import { toNetworkKey } from "../../addresses/address.ts";
import { createMemoryLockout } from "../memory/lockout.ts";
import { createMemoryRateLimiter } from "../memory/rate-limiter.ts";
import { type Client, connectClient } from "./client.ts";
import { createLink } from "./link.ts";
import { createValkeyLockout } from "./lockout.ts";
import { createValkeyRateLimiter } from "./rate-limiter.ts";
import { loadScript, SERVER_TIME, type TimeSource } from "./script.ts";

/** Connecting is done in the background, except at the start. */
const CONNECT_MS = 1_000;
const COMMAND_MS = 150;

/** No limit: units of the key that proves that the server works. */
const NO_LIMIT = 1_000_000;

export interface ValkeyLimitsOptions {
  address: ValkeyAddress;
  /** How long a lockout lasts. */
  blockMs: number;
  /** The service's secret. Servers with the same secret share their counts, and no others do. */
  secretKey: Buffer;
  clock: Clock;
  random: RandomBytes;
  countdown: Countdown;
  log: Pick<Logger, "info" | "warn">;
  timeSource?: TimeSource;
  /** How long a request may wait for one decision. */
  commandMs?: number;
  /** How long an attempt to connect may take. */
  connectMs?: number;
}

/** Resolves after the first attempt to connect, also if it fails. */
export async function openValkeyLimits(options: ValkeyLimitsOptions): Promise<Limits> {
  const { address, blockMs, secretKey, clock, random, countdown, log } = options;
  const { timeSource = SERVER_TIME, commandMs = COMMAND_MS, connectMs = CONNECT_MS } = options;
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "tributary limits", 32));
  const digest = (text: string, bytes: number): string =>
    createHmac("sha256", key).update(text).digest().subarray(0, bytes).toString("base64url");
  const prefix = `tributary:${digest("", 9)}`;
  const keyOf = (id: string): string => `${prefix}:quota:${id}`;
  const server = random(6).toString("base64url");
  const admit = loadScript("admit", timeSource);

  const link = await createLink({
    connect: () => connectClient({ address, connectMs, commandMs }),
    prove: async (client: Pick<Client, "run">) =>
      void (await client.run(admit, [`${prefix}:proof`], [NO_LIMIT, 1, WINDOW_MS, server, 0])),
    countdown,
    log,
    location: toLocation(address),
  });

  const scripts = {
    lookAtBlock: loadScript("look-at-block", timeSource),
    noteFailure: loadScript("note-failure", timeSource),
    forgetFailures: loadScript("forget-failures", timeSource),
  };
  function createLockout(name: LockoutName): Lockout {
    return createValkeyLockout({
      link,
      scripts,
      own: createMemoryLockout({ clock, blockMs }),
      // Hidden, because sources are people's addresses.
      keysOf: (source) => {
        const of = `${prefix}:${name}:${digest(toNetworkKey(source), 16)}`;
        return [`${of}:failures`, `${of}:block`];
      },
      blockMs,
    });
  }

  const own = createMemoryRateLimiter(clock);
  return {
    rateLimiter: createValkeyRateLimiter({ link, script: admit, own, keyOf, server, nowMs: clock.steadyMs }),
    lockouts: {
      authentication: createLockout("authentication"),
      "login-email": createLockout("login-email"),
      "login-client": createLockout("login-client"),
    },
    check: () => link.check(),
    close: async () => link.close(),
  };
}
