/**
 * A lockout that servers share. While Valkey is away, each server counts by itself, and begins with the count and the
 * block that it last learned of. A block that it makes in the meantime is told to Valkey afterwards.
 */
import { z } from "zod";

import { type Lockout, LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS } from "../limits.ts";
import type { MemoryLockout } from "../memory/lockout.ts";
import type { Link } from "./link.ts";
import type { Script } from "./script.ts";

const failureSchema = z.tuple([z.int(), z.int(), z.int()]);

interface LockoutScripts {
  lookAtBlock: Script;
  noteFailure: Script;
  forgetFailures: Script;
}

export interface ValkeyLockoutParts {
  link: Link;
  scripts: LockoutScripts;
  /** What this server knows. */
  own: MemoryLockout;
  /** Returns the keys of a source's failures and of its block. */
  keysOf: (source: string) => [failures: string, block: string];
  /** How long a block lasts. */
  blockMs: number;
}

export function createValkeyLockout({ link, scripts, own, keysOf, blockMs }: ValkeyLockoutParts): Lockout {
  const run = async (script: Script, keys: readonly string[], args: readonly number[]): Promise<unknown> =>
    (await link.connection()?.run(script, keys, args)) ?? null;

  return {
    async blockedForSeconds(source) {
      const [, block] = keysOf(source);
      const ownMs = own.blockedForMs(source);
      const reply = await run(scripts.lookAtBlock, [block], [blockMs, ownMs]);
      if (reply === null) return own.blockedForSeconds(source);
      const leftMs = z.int().parse(reply);
      if (leftMs > 0 && ownMs === 0) own.block(source, leftMs);
      return Math.ceil(leftMs / 1_000);
    },
    async noteFailure(source) {
      const reply = await run(scripts.noteFailure, keysOf(source), [LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS, blockMs]);
      if (reply === null) return own.noteFailure(source);
      const [hasBlocked, failures, leftMs] = failureSchema.parse(reply);
      own.setFailures(source, failures);
      if (leftMs > 0 && own.blockedForMs(source) === 0) own.block(source, leftMs);
      return hasBlocked === 1;
    },
    async noteSuccess(source) {
      const [failures] = keysOf(source);
      await own.noteSuccess(source);
      await run(scripts.forgetFailures, [failures], []);
    },
  };
}
