/** How lists name a file or folder. */

/** How many parts of a long path are shown. */
const SHOWN = 3;

/** What stands for the rest. */
const REST = "…/";

/** A long path by its end, such as `…/lake/raw/customers`. Any other name stays as it is. */
export function shortPath(name: string): string {
  const parts = name.split("/");
  return parts.length > SHOWN + 1 && !/[\s:]/.test(name) ? `${REST}${parts.slice(-SHOWN).join("/")}` : name;
}

/** The end of a path that `shortPath` made; any other name as it is. */
export function endOfPath(name: string): string {
  return name.startsWith(REST) ? name.slice(REST.length) : name;
}
