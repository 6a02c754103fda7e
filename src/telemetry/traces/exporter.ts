/** Sends spans to a collector, in batches and in the background. It never waits, and never holds much. */
import type { Logger } from "pino";

import type { Countdown } from "../../clock.ts";
import { unlessAborted } from "../../work/unless-aborted.ts";
import type { Span } from "./otlp.ts";

const BATCH = 512;
const MAX_WAITING = 4_096;
const EVERY_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** At the end, the process waits no longer than this. */
const LAST_TIMEOUT_MS = 1_500;

export interface TraceEndpoint {
  /** The URL of a collector, without the path of the signal. */
  url: string;
  /** May contain secrets. */
  headers: Readonly<Record<string, string>>;
}

export type Exporter = ReturnType<typeof createExporter>;

export interface ExporterParts {
  toBody: (spans: readonly Span[]) => object;
  countdown: Countdown;
  /** Returns a signal that aborts after this many milliseconds. */
  deadline: (ms: number) => AbortSignal;
  log: Pick<Logger, "info" | "warn">;
}

export function createExporter({ url, headers }: TraceEndpoint, parts: ExporterParts) {
  const { toBody, countdown, deadline, log } = parts;
  let waiting: Span[] = [];
  let cancel: (() => void) | null = null;
  /** The request that is on its way. There is only one at a time. */
  let sending: Promise<void> | null = null;
  let isClosed = false;
  let isFailing = false;

  async function send(signal: AbortSignal): Promise<void> {
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    if (batch.length === 0) return;
    try {
      const answer = await fetch(`${url}/v1/traces`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(toBody(batch)),
        redirect: "error",
        signal,
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      if (isFailing) log.info({ location: url }, "The collector takes traces again.");
      isFailing = false;
    } catch (err) {
      // The spans are lost: a collector that is away must not fill the memory.
      if (!isFailing)
        log.warn({ err, location: url }, "The collector does not take traces; they are lost until it does.");
      isFailing = true;
    }
  }

  function sendSoon(ms: number): void {
    if (sending !== null || isClosed) return;
    cancel ??= countdown(ms, () => {
      cancel = null;
      sending = sendAndGoOn();
    });
  }

  async function sendAndGoOn(): Promise<void> {
    await send(deadline(TIMEOUT_MS));
    sending = null;
    if (waiting.length > 0) sendSoon(waiting.length >= BATCH ? 0 : EVERY_MS);
  }

  return {
    /** Takes a span; drops it if too many wait. */
    add(span: Span): void {
      if (waiting.length >= MAX_WAITING) return;
      waiting.push(span);
      if (waiting.length === BATCH) {
        cancel?.();
        cancel = null;
        sendSoon(0);
      } else sendSoon(EVERY_MS);
    },
    /** Sends what waits, for the last time. */
    async close(): Promise<void> {
      isClosed = true;
      cancel?.();
      const end = deadline(LAST_TIMEOUT_MS);
      if (sending !== null) await unlessAborted(end, sending).catch(() => {});
      while (waiting.length > 0 && !end.aborted) await send(end);
    },
  };
}
