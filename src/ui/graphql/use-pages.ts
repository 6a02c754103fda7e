import { useState } from "react";

interface Pages {
  /** The cursors after which the shown pages begin; null for the first page. */
  cursors: readonly (string | null)[];
  /** Shows the page after this cursor too. */
  showMore(after: string): void;
}

/** Which pages of a list are shown, one below the other. */
export function usePages(): Pages {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  return { cursors, showMore: (after) => setCursors([...cursors, after]) };
}
