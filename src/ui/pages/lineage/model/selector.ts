/** dbt's graph selectors for one model: `+model`, `model+`, `2+model+3`. */
import type { Side } from "./graph.ts";
import { MAX_HOPS } from "./view.ts";

export interface Selector {
  name: string;
  hops: Readonly<Record<Side, number>>;
}

const ONE_MODEL = /^(?:(\d*)(\+))?([^+]*[^+\s])(?:(\+)(\d*))?$/;
/** `@model`, unions, intersections and methods such as `tag:daily` choose more than one model to begin from. */
const OTHERS = /^@|,|^\d*\+?\w+:/;

/** @returns null if the text is a plain name, "unknown" if it is a selector that is not supported */
export function readSelector(text: string): Selector | "unknown" | null {
  if (OTHERS.test(text)) return "unknown";
  const [, upDigits = "", upPlus, name = "", downPlus, downDigits = ""] = ONE_MODEL.exec(text) ?? [];
  if (upPlus === undefined && downPlus === undefined) return text.includes("+") ? "unknown" : null;
  return { name, hops: { up: toHops(upPlus, upDigits), down: toHops(downPlus, downDigits) } };
}

function toHops(plus: string | undefined, digits: string): number {
  return plus === undefined ? 0 : Math.min(digits === "" ? MAX_HOPS : Number(digits), MAX_HOPS);
}
