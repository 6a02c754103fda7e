import type { Risk } from "../../parts/badge.tsx";

/** The risks, the worst first, and what each means for what is affected. */
export const RISKS: readonly { risk: Risk; title: string }[] = [
  { risk: "high", title: "Breaks, or misleads" },
  { risk: "medium", title: "May break, or show other rows" },
  { risk: "low", title: "Continues to work" },
];

/** The bar of the page that takes a manifest, and of the action. */
export const FAIL_ON = "high";
