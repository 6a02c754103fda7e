/** Counts the answers to the attackers' requests. */
import type { Outcome } from "./client.ts";
import type { NumberedShot } from "./shots.ts";

const MAX_FAULTS = 100;
const CUT = 600;

/** An answer that should never occur. */
export interface Fault {
  number: number;
  name: string;
  status: number;
  request: string;
  answer: string;
}

export interface AttackTally {
  sent: number;
  hungUp: number;
  statuses: Record<string, number>;
  largestBytes: number;
  slowestMs: number;
}

export interface Tally {
  byName: Record<string, AttackTally>;
  faults: Fault[];
  faultCount: number;
}

export const emptyTally = (): Tally => ({ byName: {}, faults: [], faultCount: 0 });

/** Whether the answer shows a fault of the service. A refusal because it is too busy does not count. */
export function isFault({ status, text }: Outcome): boolean {
  return (status >= 500 && status !== 503) || text.includes('"internal_error"');
}

export function count(tally: Tally, numbered: NumberedShot, outcome: Outcome): void {
  const { name, number, shot, hangUpAfterMs } = numbered;
  const own = (tally.byName[name] ??= { sent: 0, hungUp: 0, statuses: {}, largestBytes: 0, slowestMs: 0 });
  own.sent++;
  if (hangUpAfterMs !== null && outcome.status === 0) own.hungUp++;
  else {
    const status = outcome.status === 0 ? `none: ${outcome.text}` : String(outcome.status);
    own.statuses[status] = (own.statuses[status] ?? 0) + 1;
    own.slowestMs = Math.max(own.slowestMs, outcome.ms);
  }
  own.largestBytes = Math.max(own.largestBytes, outcome.bytes);
  if (!isFault(outcome)) return;
  tally.faultCount++;
  if (tally.faults.length >= MAX_FAULTS) return;
  const request = `${shot.method} ${shot.path} ${shot.body?.toString() ?? ""}`;
  tally.faults.push({
    number,
    name,
    status: outcome.status,
    request: cut(request, CUT),
    answer: cut(outcome.text, CUT),
  });
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}
