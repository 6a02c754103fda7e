/** Hashes passwords with argon2id (RFC 9106). Each computation takes 19 MiB, so only a few run at once. */
import { argon2, type Argon2Parameters, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

import type { RandomBytes } from "../../clock.ts";
import type { Caller } from "../../work/caller.ts";
import { createFairQueue } from "../../work/fair-queue.ts";

/** The parameters of a hash: memory in KiB, passes, and lanes. */
interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** The second choice of OWASP's Password Storage Cheat Sheet: about 90 ms. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Node computes them in four threads, which files and names of hosts need too. */
const AT_ONCE = 2;
/** The other slot, and its processor, are left for people who logged in before and for requests. */
const STRANGERS_AT_ONCE = 1;
const MAX_WAITING = 20;
const MAX_WAIT_MS = 10_000;

/** Used for users without a password and for addresses that nobody has, so that a login takes equally long. */
const NOBODY = toPhc({ ...COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) });

/** Who waits for a hash. */
export interface HashCaller extends Caller {
  /** Whether nothing proves an earlier login. All strangers together count as one caller beside the others. */
  readonly isStranger?: boolean;
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

export function createPasswordHasher(random: RandomBytes) {
  const limits = { maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS };
  const queue = createFairQueue({ ...limits, atOnce: AT_ONCE });
  const strangers = createFairQueue({ ...limits, atOnce: STRANGERS_AT_ONCE });
  const runInTurn = <T>(caller: HashCaller, work: () => Promise<T>): Promise<T> =>
    caller.isStranger === true
      ? strangers.run(caller, () => queue.run({ ...caller, tenant: "strangers" }, work))
      : queue.run(caller, work);
  const hashWith = (
    password: string,
    { salt, ...cost }: Cost & { salt: Buffer },
    caller: HashCaller,
  ): Promise<Buffer> => {
    // NIST SP 800-63B, 3.1.1.2: the same letters may be typed composed or not.
    const message = password.normalize("NFKC");
    const parameters: Argon2Parameters = { ...cost, message, nonce: salt, tagLength: HASH_BYTES };
    return runInTurn(caller, () => promisify(argon2)("argon2id", parameters));
  };
  return {
    /**
     * @param caller shares the threads fairly with other callers
     * @param like a hash of the same address, whose salt is used again if the parameters are still the same. So a password
     *   can be compared with all hashes of an address by one computation.
     * @returns a PHC string
     */
    async hash(password: string, caller: HashCaller, like: string | null = null): Promise<string> {
      const salt = like !== null && !isOutdated(like) ? parsePhc(like).salt : random(SALT_BYTES);
      return toPhc({ ...COST, salt, hash: await hashWith(password, { ...COST, salt }, caller) });
    },
    /**
     * Compares a password with the hashes of one address. It computes at least one hash, also if there are none.
     * @returns for each hash whether it is that of the password
     * @throws AppError `rate_limited` or `unavailable` if too many others wait
     */
    async compare(password: string, hashes: readonly (string | null)[], caller: HashCaller): Promise<boolean[]> {
      const computed = new Map<string, Buffer>();
      const matches: boolean[] = [];
      for (const text of hashes.length === 0 ? [NOBODY] : hashes) {
        const { hash, ...given } = parsePhc(text ?? NOBODY);
        // Users without a password add no computation where others of the address have one.
        const isNobody = text === null && hashes.some((other) => other !== null);
        if (isNobody) {
          matches.push(false);
          continue;
        }
        const key = JSON.stringify([given.memory, given.passes, given.parallelism, given.salt.toString("hex")]);
        const found = computed.get(key) ?? (await hashWith(password, given, caller));
        computed.set(key, found);
        matches.push(timingSafeEqual(found, hash) && text !== null);
      }
      return matches.slice(0, hashes.length);
    },
  };
}

/** Whether a hash was made with other parameters than new ones. */
export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parsePhc(phc);
  return memory !== COST.memory || passes !== COST.passes || parallelism !== COST.parallelism;
}

/** https://github.com/P-H-C/phc-string-format, as other implementations of argon2 write it. */
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function toPhc({ memory, passes, parallelism, salt, hash }: Cost & { salt: Buffer; hash: Buffer }): string {
  const [encodedSalt, encodedHash] = [salt, hash].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodedSalt}$${encodedHash}`;
}

function parsePhc(text: string): Cost & { salt: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, salt = "", hash = ""] = PHC.exec(text) ?? [];
  if (memory === undefined) throw new Error("the hash of a password has an unknown form");
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}
