/** Posts one notice to its address, through the guard of connectors. */
import { excerpt } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { toConnectionFault } from "../connectors/http/connection-fault.ts";
import { fetchSource, readBeginning } from "../connectors/http/fetch-source.ts";
import type { SourceAddresses } from "../connectors/http/source-addresses.ts";
import type { NoticeChannel, NoticeTarget, NoticeTry } from "../metadata/notice-records.ts";
import { escapeControls } from "../plain-text.ts";
import { signWebhook } from "./signature.ts";

/** How long a receiver may take. */
const TIMEOUT_MS = 10_000;
/** How much of an answer is read. */
const ANSWER_BYTES = 1_000;
const ANSWER_CHARACTERS = 200;

export interface SendParts {
  addresses: SourceAddresses;
  /** Hosts that may be posted to over http, besides this machine. */
  insecureHosts: readonly string[];
  clock: Pick<Clock, "now">;
  /** Returns a signal that aborts after this many milliseconds. */
  deadline: (ms: number) => AbortSignal;
}

export interface Outgoing {
  /** The notice's. */
  id: string;
  channel: NoticeChannel;
  target: NoticeTarget;
  /** The address of the person, if it is a mail. */
  recipient: string | null;
  body: string;
  /** Aborts when the service stops. */
  stopped?: AbortSignal;
}

/** Never rejects. A redirect is not followed: it is an answer that did not take the notice. */
export async function sendNotice(
  { addresses, insecureHosts, clock, deadline }: SendParts,
  { id, channel, target, body, stopped }: Outgoing,
): Promise<NoticeTry> {
  const now = clock.now();
  const tried = { at: now.toISOString(), status: null };
  const timeout = deadline(TIMEOUT_MS);
  const signal = stopped === undefined ? timeout : AbortSignal.any([timeout, stopped]);
  try {
    const answer = await fetchSource(new URL(target.url), {
      secrets: channel === "webhook" ? signWebhook(target, { id, body, now }) : {},
      body,
      followsRedirects: false,
      insecureHosts,
      addresses,
      // Only its beginning is read, so an answer of any size is well.
      maxBytes: Number.POSITIVE_INFINITY,
      signal,
    });
    const said = escapeControls((await readBeginning(answer, ANSWER_BYTES)).trim());
    return { ...tried, status: answer.status, answer: excerpt(said, ANSWER_CHARACTERS) };
  } catch (error) {
    return { ...tried, answer: toWhy(error, timeout, stopped) };
  }
}

/** The rest of a sentence that begins with "the address". */
function toWhy(error: unknown, timeout: AbortSignal, stopped: AbortSignal | undefined): string {
  if (stopped?.aborted) return "was not waited for, because the service stopped";
  if (timeout.aborted) return `did not answer within ${TIMEOUT_MS / 1_000} seconds`;
  return toConnectionFault(error).why;
}

/** Whether the receiver took the notice. */
export function isTaken({ status }: Pick<NoticeTry, "status">): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether the receiver says that it wants no more, as Standard Webhooks defines it. */
export function isGone({ status }: Pick<NoticeTry, "status">): boolean {
  return status === 410;
}
