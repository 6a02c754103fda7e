/** Parses query strings and forms strictly: nothing is guessed, repaired or dropped. */
import { decodePercent } from "../../characters.ts";
import type { FieldFault } from "../../errors.ts";

/** Returns the parameters of a query string or form, and all its faults. Each parameter may occur only once. */
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
