import type { ReactNode } from "react";

/** A text for screen readers only. */
export function Unseen({ children }: { children: ReactNode }) {
  return <span className="unseen">{children}</span>;
}
