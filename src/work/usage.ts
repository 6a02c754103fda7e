/**
 * Counts the time that each tenant recently used. The event loop and all threads charge one account. So a tenant that
 * keeps one of them busy comes last at the others too.
 */

/** The half-life of a charge. */
const HALF_LIFE_MS = 5_000;
/** What the usage of a whole processor comes to. */
const PROCESSOR_MS = HALF_LIFE_MS / Math.LN2;
/**
 * The part of what all recently used that is shared as little. Tenants that keep a processor busy, each with an equal share,
 * must not all count as having used little.
 */
const SHARED = 0.75;
/** The least that is shared, in processors. */
const LEAST_SHARED = 0.5;
/** A tenant above this did not use little: about a ninth of one processor. */
const LITTLE_MS = 800;
/** What is little is looked at again after this time. */
const LOOK_AGAIN_MS = 100;
/** An account below this is dropped. */
const NOTHING_MS = 0.01;
/** At this number of accounts, small ones are dropped. */
const SWEEP_AT = 1_000;
/** Charged when work begins, so that it counts from its first moment. */
export const LEAST_MS = 0.1;

export type Usage = ReturnType<typeof createUsage>;

interface Account {
  /** The usage at the time `at`. */
  servedMs: number;
  at: number;
  /** When each piece of running work began. */
  running: Set<{ since: number }>;
}

/** @param nowMs milliseconds since an arbitrary moment */
export function createUsage(nowMs = (): number => performance.now()) {
  const accounts = new Map<string, Account>();
  let sweepAt = SWEEP_AT;
  let [littleMs, lookedAt] = [LITTLE_MS, -Infinity];

  function worth({ servedMs, at }: Account, now: number): number {
    return servedMs * 2 ** ((at - now) / HALF_LIFE_MS);
  }

  function accountOf(tenant: string): Account {
    const known = accounts.get(tenant);
    if (known !== undefined) return known;
    if (accounts.size >= sweepAt) sweep();
    const account = { servedMs: 0, at: nowMs(), running: new Set<{ since: number }>() };
    accounts.set(tenant, account);
    return account;
  }

  function sweep(): void {
    const now = nowMs();
    for (const [tenant, account] of accounts) {
      if (account.running.size === 0 && worth(account, now) < NOTHING_MS) accounts.delete(tenant);
    }
    sweepAt = Math.max(SWEEP_AT, 2 * accounts.size);
  }

  /** Charges a tenant. */
  function add(tenant: string, ms: number): void {
    const account = accountOf(tenant);
    const now = nowMs();
    account.servedMs = worth(account, now) + ms;
    account.at = now;
  }

  function of(tenant: string): number {
    const account = accounts.get(tenant);
    if (account === undefined) return 0;
    const now = nowMs();
    let ms = worth(account, now);
    for (const { since } of account.running) ms += now - since;
    return ms;
  }

  /**
   * If three quarters of what all used, at most of one processor, are divided fairly, whoever asks for less than an equal
   * share gets all of it, and the others divide the rest equally: max-min fairness. What they get then is no longer little.
   */
  function findLittle(): number {
    const used = Array.from(accounts.keys(), of).toSorted((a, b) => a - b);
    const all = used.reduce((sum, ms) => sum + ms, 0);
    let left = Math.max(LEAST_SHARED * PROCESSOR_MS, SHARED * Math.min(all, PROCESSOR_MS));
    let others = used.length;
    for (const ms of used) {
      if (ms * others > left) return Math.min(LITTLE_MS, left / others);
      left -= ms;
      others--;
    }
    return LITTLE_MS;
  }

  /** Returns the milliseconds below which a tenant used little. */
  function little(): number {
    const now = nowMs();
    if (now - lookedAt >= LOOK_AGAIN_MS) [littleMs, lookedAt] = [findLittle(), now];
    return littleMs;
  }

  return {
    /** Returns the milliseconds that a tenant used. Older ones count less; running work counts too. */
    of,
    little,
    /** Whether a tenant used little, compared with the others. */
    isLittle: (tenant: string): boolean => of(tenant) < little(),
    add,
    /**
     * Begins to charge a tenant.
     * @returns a function that ends it. It takes the processor time that was used, in milliseconds. Without it, the time
     *   that passed is charged, although others may have used the processor in that time.
     */
    begin(tenant: string): (processorMs?: number) => void {
      const account = accountOf(tenant);
      const work = { since: nowMs() };
      account.running.add(work);
      add(tenant, LEAST_MS);
      return (processorMs = nowMs() - work.since) => {
        account.running.delete(work);
        add(tenant, processorMs);
      };
    },
  };
}

/** The processor time that this thread has used, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
