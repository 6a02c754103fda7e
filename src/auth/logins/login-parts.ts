/** What the ways to log in need. */
import type { Logger } from "pino";

import type { Limits } from "../../limits/limits.ts";
import type { Settings } from "../../settings/settings.ts";
import { originOf } from "../../settings/origin.ts";
import type { AuthParts } from "../change.ts";
import { createPasswordHasher, type PasswordHasher } from "../passwords/hash.ts";
import type { SessionLifetime } from "../sessions/lifetime.ts";
import { createDevices, type Devices } from "./devices.ts";
import { createLoginGuard, type LoginGuard } from "./login-guard.ts";

const HOUR_MS = 60 * 60_000;

export interface LoginParts extends AuthParts {
  hasher: PasswordHasher;
  guard: LoginGuard;
  devices: Devices;
  lifetime: SessionLifetime;
  /**
   * Returns the origin at which people reach the service. Called late, because a free port is known only after
   * listening.
   */
  publicUrl: () => string;
}

interface Given {
  settings: Settings;
  secretKey: Buffer;
  counts: Limits;
  log: Pick<Logger, "error" | "warn">;
  /** Default: the one of the settings. */
  publicUrl?: () => string;
}

export function createLoginParts(
  auth: AuthParts,
  { settings, secretKey, counts, log, publicUrl = () => originOf(settings) }: Given,
): LoginParts {
  const { "login-email": byEmail, "login-client": bySource } = counts.lockouts;
  return {
    ...auth,
    hasher: createPasswordHasher(auth.random),
    guard: createLoginGuard({ ...auth, byEmail, bySource, log }),
    devices: createDevices({ ...auth, secretKey }),
    lifetime: { idleMs: settings.sessionIdleHours * HOUR_MS, maxMs: settings.sessionDays * 24 * HOUR_MS },
    publicUrl,
  };
}
