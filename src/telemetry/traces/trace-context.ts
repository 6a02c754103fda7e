/** The position of a piece of work in a trace, as services tell it to each other (W3C Trace Context, level 1). */
import type { RandomBytes } from "../../clock.ts";

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** Whether the spans of this trace are exported. */
  isSampled: boolean;
}

/** Version, trace, parent and flags. Later versions may have more fields. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Reads a `traceparent` header. Returns null if there is none or it is malformed, so that a new trace begins. */
export function parseTraceparent(header: string): TraceContext | null {
  const [, version, traceId, spanId, flags = "", more] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || (version === "00" && more !== undefined)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** @param ratio the part of new traces that is sampled, from 0 to 1 */
export function beginTrace(random: RandomBytes, ratio: number): TraceContext {
  const id = random(16);
  return { traceId: id.toString("hex"), spanId: "", isSampled: id.readUInt32BE(12) < ratio * 2 ** 32 };
}

export function nextSpan(random: RandomBytes, { traceId, isSampled }: TraceContext): TraceContext {
  return { traceId, isSampled, spanId: random(8).toString("hex") };
}
