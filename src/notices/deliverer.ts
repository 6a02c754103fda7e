/**
 * Sends the notices that wait. Each rule has its own queue, which is sent in order, one notice at a time. Another rule's
 * queue does not wait for it.
 */
import { randomUUID } from "node:crypto";
import type { BaseLogger } from "pino";

import type { Clock, RandomBytes } from "../clock.ts";
import type { ClaimedRule, TryOutcome } from "../metadata/notices.ts";
import type { Notice, NoticeKind, NoticeTry } from "../metadata/notice-records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createPoller } from "../work/poller.ts";
import { toBody } from "./message.ts";
import { findReader } from "./recipients.ts";
import { isGone, isTaken, type Outgoing } from "./send.ts";
import { switchOff } from "./switch-off.ts";
import { tellEvents, type TellParts } from "./tell-events.ts";
import type { Unsubscribe } from "./unsubscribe.ts";

const LOOK_EVERY_MS = 1_000;
/** What happens within this time is one message for people. */
const TELL_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Longer than a try may take, so a process that works does not lose a rule. */
const LEASE_MS = 30_000;
/** How many rules one process sends for at once. */
const MAX_RUNNING = 32;
const KEPT_MS = 30 * 86_400_000;
/** How many notices of a rule are kept. */
const KEPT = 5_000;

const KINDS: NoticeKind[] = ["certification_lapsed", "notice_rule_switched_off"];
/** Every workspace gets each of them once, mails only if they can be sent. */
const DEFAULT_MAILS = { name: "What is yours", kinds: KINDS, channel: "email" } as const;
const DEFAULT_BELL = { name: "What is yours, in the workspace", kinds: KINDS, channel: "bell" } as const;

export type NoticeDeliverer = ReturnType<typeof createNoticeDeliverer>;

export interface DelivererOptions extends TellParts {
  store: MetadataStore;
  send: (outgoing: Outgoing) => Promise<NoticeTry>;
  publicUrl: () => string;
  unsubscribe: Pick<Unsubscribe, "pathFor">;
  /** Whether mails can be sent. */
  hasMail: boolean;
  clock: Clock;
  random: RandomBytes;
  log: Pick<BaseLogger, "error" | "info" | "warn">;
}

export function createNoticeDeliverer(options: DelivererOptions) {
  const { store, send, publicUrl, unsubscribe, hasMail, clock, random, log } = options;
  const workerId = randomUUID();
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function look(): Promise<void> {
    while (sender.state !== "stopped" && running.size < MAX_RUNNING) {
      const now = clock.now();
      const claimed = await store.notices.claim({ workerId, now, until: new Date(now.getTime() + LEASE_MS) });
      if (claimed === null) return;
      const run: Promise<void> = deliver(claimed)
        .catch((err: unknown) => log.error({ err, ruleId: claimed.rule.id }, "a notice could not be recorded"))
        .finally(() => {
          running.delete(run);
          // The rule may have more, and others may have waited for a place.
          void sender.again();
        });
      running.add(run);
    }
  }

  async function deliver(claimed: ClaimedRule): Promise<void> {
    const { rule, target, notice } = claimed;
    if (notice === null) {
      const nothing = { at: clock.now().toISOString(), status: null, answer: "" };
      await store.notices.endTry(claimed, workerId, nothing, { kind: "delivered" });
      return;
    }
    const workspace = await store.workspaces.findById(rule.workspaceId);
    const { channel } = rule;
    const { recipient } = notice;
    const unsubscribeUrl =
      recipient === null
        ? ""
        : `${publicUrl()}${unsubscribe.pathFor({ workspaceId: rule.workspaceId, ruleId: rule.id, email: recipient })}`;
    const parts = { workspace: workspace?.name ?? "", publicUrl: publicUrl(), unsubscribeUrl };
    const body = toBody(channel, notice, parts);
    const isMailable = recipient === null || (await findReader(store, rule, recipient)) !== null;
    const tried = isMailable
      ? await send({ id: notice.id, channel, target, recipient, body, stopped: stopping.signal })
      : { at: clock.now().toISOString(), status: 550, answer: "The person gets no mails of this rule any more." };
    const outcome = judge(notice, tried);
    const isHeld = await store.notices.endTry(claimed, workerId, tried, outcome);
    if (isHeld && outcome.kind === "failed" && !isRefused(notice, tried)) await giveUp(claimed, tried);
  }

  function judge(notice: NonNullable<ClaimedRule["notice"]>, tried: NoticeTry): TryOutcome {
    if (isTaken(tried)) return { kind: "delivered" };
    if (isGone(tried) || isRefused(notice, tried)) return { kind: "failed" };
    // A notice that is sent again has tries of its own from then on.
    const triesSoFar =
      1 + notice.tries.filter(({ at }) => notice.firstTryAt !== null && at >= notice.firstTryAt).length;
    const at = findNextTry({ firstTryAt: notice.firstTryAt, triesSoFar }, clock.now(), random);
    return at === null ? { kind: "failed" } : { kind: "again", at };
  }

  async function giveUp({ rule }: ClaimedRule, { status, answer }: NoticeTry): Promise<void> {
    const said = status === null ? answer : `answers ${status}`;
    const since = status === 410 ? "The receiver wants no more notices" : "No notice arrived for a day";
    await switchOff({ store }, rule, `${since}: the address ${said}.`);
    log.warn({ ruleId: rule.id, status }, "a notice rule was switched off");
  }

  const polls = <Name extends string>(what: Name, doIt: () => Promise<void>, everyMs: number) =>
    createPoller({
      look: doIt,
      everyMs,
      onError: (err) => log.error({ err }, `notices could not be ${what}`),
      onRecovery: () => log.info(`notices can be ${what} again`),
    });
  const sender = polls("sent", look, LOOK_EVERY_MS);
  const teller = polls(
    "made",
    async () => {
      if (hasMail) await store.noticeRules.addDefaults(DEFAULT_MAILS);
      await store.noticeRules.addDefaults(DEFAULT_BELL);
      while (teller.state !== "stopped" && (await tellEvents(options)));
    },
    TELL_EVERY_MS,
  );
  const sweeper = polls(
    "swept",
    async () => {
      const before = new Date(clock.now().getTime() - KEPT_MS).toISOString();
      while (sweeper.state !== "stopped" && (await store.notices.removeOld(before, KEPT)) > 0);
    },
    SWEEP_EVERY_MS,
  );
  const pollers = [sender, teller, sweeper];

  return {
    /** Makes notices of events, sends what is due and deletes what is old, again and again. */
    start(): void {
      for (const poller of pollers) poller.start();
    },
    /** Makes notices of the events that can be told. `start` calls it every ten seconds. */
    tell: teller.again,
    /** Starts to send what is due. `start` calls it every second. */
    tick: sender.again,
    /** Resolves when nothing is being sent. */
    async idle(): Promise<void> {
      for (; running.size > 0; await sender.again()) await Promise.all(running);
    },
    /** Deletes notices that ended more than 30 days ago, and those before the last 5,000 of a rule. `start` calls it every hour. */
    sweep: sweeper.again,
    async stop(): Promise<void> {
      for (const poller of pollers) await poller.stop();
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Whether the mail server refuses the mail of this person. That says nothing about other persons. */
function isRefused({ recipient }: Pick<Notice, "recipient">, { status }: Pick<NoticeTry, "status">): boolean {
  return recipient !== null && status !== null && status >= 500;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The pauses before the second try, the third and so on. The last one is repeated. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];
/** A notice is tried for so long. */
const TRIED_FOR_MS = 24 * HOUR_MS;
/** Each pause is up to so much longer, so that a receiver that comes back is not met by all at once. */
const JITTER = 0.1;

/**
 * @param tried.triesSoFar how many there were, with the one that has just failed
 * @returns null if it was tried for a day: it has failed
 */
function findNextTry(
  { firstTryAt, triesSoFar }: { firstTryAt: Notice["firstTryAt"]; triesSoFar: number },
  now: Date,
  random: RandomBytes,
): Date | null {
  if (firstTryAt !== null && now.getTime() - Date.parse(firstTryAt) >= TRIED_FOR_MS) return null;
  const pause = PAUSES_MS[Math.min(triesSoFar, PAUSES_MS.length) - 1] ?? 0;
  const share = random(2).readUInt16BE() / 0xff_ff;
  return new Date(now.getTime() + Math.round(pause * (1 + JITTER * share)));
}
