/** The ends of ranges of text in SQLite. */
import { endOfPrefix } from "../text-range.ts";

/** A value above all texts that begin with `prefix`. SQLite orders every blob above all text. */
export function aboveAll(prefix: string): string | Uint8Array {
  return endOfPrefix(prefix) ?? new Uint8Array();
}
