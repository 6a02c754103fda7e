/** Moments as distances from now. */
import { createStore } from "./store.ts";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

function describeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return "just now";
  // A time that is almost 90 days away is shown as "in 3 months".
  const round = seconds > 0 ? Math.round : Math.trunc;
  return relative.format(round(seconds / unit[1]), unit[0]);
}

const TICK_MS = 30_000;

/** The time in milliseconds, to half a minute. All times on the page follow it. */
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), TICK_MS);

export const useNowMs = now.use;

interface TimeProps {
  at: string | null;
  /** Shown if there is no such time. */
  none?: string;
}

/** With the exact time as its tooltip. */
export function Time({ at, none = "never" }: TimeProps) {
  const nowMs = useNowMs();
  if (at === null) return none;
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {describeTime(at, nowMs)}
    </time>
  );
}
