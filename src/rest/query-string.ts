/** Reads what stands in a URL or a form, strictly: nothing is guessed, repaired or dropped. */
import type { FieldFault } from "../errors.ts";

/** Percent-decodes; null where that gives no well-formed text. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The parameters of a query string or a form, each of which may stand once, and everything that is wrong with it. */
export function parseQueryString(text: string): { values: Record<string, string>; faults: FieldFault[] } {
  const values = new Map<string, string>();
  const faults: FieldFault[] = [];
  for (const pair of text.replaceAll("+", " ").split("&")) {
    if (pair === "") continue;
    const [rawName = "", ...rest] = pair.split("=");
    const name = decodePercent(rawName);
    const value = decodePercent(rest.join("="));
    if (name === null || value === null)
      faults.push({ field: name ?? rawName, message: "is not percent-encoded UTF-8" });
    else if (values.has(name)) faults.push({ field: name, message: "is given more than once" });
    else values.set(name, value);
  }
  return { values: Object.fromEntries(values), faults };
}
