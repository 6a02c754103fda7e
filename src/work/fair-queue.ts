/**
 * Shares a scarce thing, such as threads, among callers: whoever was served least comes next.
 *
 * This is start-time fair queueing (Goyal, Vin, Cheng 1996) with time as the cost. Each job has a start tag: the later of
 * the queue's virtual time and the finish tag of its holder's previous job. The smallest start tag goes first. So a holder
 * who asks seldom waits only for what is under way, however much others have waiting.
 */
import { AppError, overloaded } from "../errors.ts";
import type { Caller } from "./caller.ts";

export interface FairQueueOptions {
  /** Jobs that are done at once. */
  atOnce: number;
  /** Jobs of one holder that are done at once; the default is `atOnce`. */
  atOnceForOne?: number;
  /** Jobs that one holder may have waiting; one more is refused. */
  maxWaiting: number;
  /** A job that has waited longer than this is refused when its turn comes. */
  maxWaitMs: number;
  /** Milliseconds since no particular moment. */
  nowMs?: () => number;
}

export interface FairQueue {
  /**
   * Does the work when it is the caller's turn.
   * @param mayWaitMs how long this job may wait, where that is not what all may
   * @throws AppError `rate_limited` when the holder has too much waiting, `unavailable` when it has waited too long,
   *   the signal's reason when the caller is gone before the work began, and whatever the work throws
   */
  run<T>(caller: Caller, work: () => Promise<T>, mayWaitMs?: number): Promise<T>;
  countWaiting(): number;
  countRunning(): number;
}

/** Charged when a job begins, so that one under way counts against the next of its holder. */
const LEAST_COST_MS = 1;

interface Job {
  start: () => void;
  refuse: (reason: unknown) => void;
  /** When it has waited too long. */
  until: number;
}

interface Account {
  waiting: Set<Job>;
  running: number;
  /** The finish tag of its last job: the virtual time up to which it has had its share. */
  finish: number;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceForOne = atOnce, maxWaiting, maxWaitMs, nowMs = () => performance.now() } = options;
  const accounts = new Map<string, Account>();
  let running = 0;
  let waitingCount = 0;
  let virtualTime = 0;

  function accountOf(holder: string): Account {
    let account = accounts.get(holder);
    if (account === undefined) {
      account = { waiting: new Set(), running: 0, finish: 0 };
      accounts.set(holder, account);
    }
    return account;
  }

  /** The account with the smallest start tag among those whose turn it may be. */
  function nextAccount(): Account | undefined {
    let next: Account | undefined;
    for (const account of accounts.values()) {
      if (account.waiting.size === 0 || account.running >= atOnceForOne) continue;
      if (next === undefined || startTag(account) < startTag(next)) next = account;
    }
    return next;
  }

  function startTag({ finish }: Account): number {
    return Math.max(virtualTime, finish);
  }

  /** The next job that there is a place for, no longer waiting. */
  function takeNext(): Job | undefined {
    const account = running < atOnce ? nextAccount() : undefined;
    const [job] = account?.waiting ?? [];
    if (job !== undefined && account?.waiting.delete(job)) waitingCount--;
    return job;
  }

  function startWaiting(): void {
    for (let job = takeNext(); job !== undefined; job = takeNext()) {
      if (nowMs() > job.until) job.refuse(tooLong());
      else job.start();
    }
  }

  async function runNow<T>(account: Account, work: () => Promise<T>): Promise<T> {
    running++;
    account.running++;
    virtualTime = startTag(account);
    account.finish = virtualTime + LEAST_COST_MS;
    const began = nowMs();
    try {
      return await work();
    } finally {
      running--;
      account.running--;
      account.finish += Math.max(0, nowMs() - began - LEAST_COST_MS);
      startWaiting();
      // Nobody waits for anybody: what each was served is forgotten.
      if (running === 0) accounts.clear();
    }
  }

  async function run<T>({ holder, signal }: Caller, work: () => Promise<T>, mayWaitMs = maxWaitMs): Promise<T> {
    signal.throwIfAborted();
    const account = accountOf(holder);
    const isFree = running < atOnce && account.running < atOnceForOne && account.waiting.size === 0;
    if (isFree) return runNow(account, work);
    if (account.waiting.size >= maxWaiting) throw tooMuch();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = {
      until: nowMs() + mayWaitMs,
      refuse: reject,
      // The promise that is resolved with is awaited; the place is taken at once, before the next one is given away.
      start: () => resolve(runNow(account, work)),
    };
    const leave = (): void => {
      if (!account.waiting.delete(job)) return;
      waitingCount--;
      reject(signal.reason);
    };
    account.waiting.add(job);
    waitingCount++;
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    run,
    countWaiting: () => waitingCount,
    countRunning: () => running,
  };
}

function tooMuch(): AppError {
  return new AppError("rate_limited", "Too much of what this key has asked for is still waiting.", {
    details: { reason: "waiting" },
    retryAfterSeconds: 1,
    endsRequest: true,
  });
}

function tooLong(): AppError {
  return overloaded("The service has too much to do; this would wait too long.");
}
