/**
 * How long each holder was served of late, by whatever serves: the event loop and all threads charge one account, so that
 * who keeps one of them busy comes last at the others too.
 */

/** What was served counts half after so long. */
const HALF_LIFE_MS = 5_000;
/** Who was served less asks for little: about a ninth of one processor. */
export const LITTLE_MS = 800;
/** Less than this is as good as nothing, and forgotten. */
const NOTHING_MS = 0.01;
/** Holders between two looks for those that are forgotten. */
const SWEEP_AT = 1_000;
/** Charged when a service begins, so that one under way counts for something from its first moment. */
const LEAST_MS = 0.1;

export interface Usage {
  /** Milliseconds, older ones counting for less; what is under way counts. */
  of(holder: string): number;
  /** Charges a holder. */
  add(holder: string, ms: number): void;
  /**
   * Charges a holder from now on.
   * @returns what ends that. It takes the processor time that was used, in milliseconds, where that is known: else the
   *   time that passed is charged, in which others may have had the processor.
   */
  begin(holder: string): (processorMs?: number) => void;
}

interface Account {
  servedMs: number;
  /** When that was so. */
  at: number;
  /** When each service that is under way began. */
  underWay: Set<{ since: number }>;
}

/** @param nowMs milliseconds since no particular moment */
export function createUsage(nowMs = (): number => performance.now()): Usage {
  const accounts = new Map<string, Account>();
  let sweepAt = SWEEP_AT;

  function worth({ servedMs, at }: Account, now: number): number {
    return servedMs * 2 ** ((at - now) / HALF_LIFE_MS);
  }

  function accountOf(holder: string): Account {
    const known = accounts.get(holder);
    if (known !== undefined) return known;
    if (accounts.size >= sweepAt) sweep();
    const account = { servedMs: 0, at: nowMs(), underWay: new Set<{ since: number }>() };
    accounts.set(holder, account);
    return account;
  }

  function sweep(): void {
    const now = nowMs();
    for (const [holder, account] of accounts) {
      if (account.underWay.size === 0 && worth(account, now) < NOTHING_MS) accounts.delete(holder);
    }
    sweepAt = Math.max(SWEEP_AT, 2 * accounts.size);
  }

  function add(holder: string, ms: number): void {
    const account = accountOf(holder);
    const now = nowMs();
    account.servedMs = worth(account, now) + ms;
    account.at = now;
  }

  return {
    of(holder) {
      const account = accounts.get(holder);
      if (account === undefined) return 0;
      const now = nowMs();
      let ms = worth(account, now);
      for (const { since } of account.underWay) ms += now - since;
      return ms;
    },
    add,
    begin(holder) {
      const account = accountOf(holder);
      const service = { since: nowMs() };
      account.underWay.add(service);
      add(holder, LEAST_MS);
      return (processorMs = nowMs() - service.since) => {
        account.underWay.delete(service);
        add(holder, processorMs);
      };
    },
  };
}

/** The processor time that this thread has used, in milliseconds. */
export function threadProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
