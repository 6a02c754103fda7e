/** How each kind of line looks: on the canvas, in the legend, and in exported pictures. */
import type { Difference } from "./graph.ts";
import type { Line, LineKind } from "./lines.ts";

export type Tip = "arrow" | "open" | "dot" | "diamond" | "bar" | "none";

export interface LineLook {
  /** As in `stroke-dasharray`; an empty text for a line without gaps. */
  dash: string;
  tip: Tip;
  width: number;
  /** The colour token. */
  colour: string;
  /** The words between the upstream end and the downstream end. */
  meaning: string;
}

export const LINE_LOOKS: Readonly<Record<LineKind, LineLook>> = {
  derives: { dash: "", tip: "arrow", width: 1.5, colour: "--ink-faint", meaning: "is made into" },
  materializes: { dash: "9 3", tip: "bar", width: 1.5, colour: "--type-pipeline", meaning: "builds" },
  defines: { dash: "2 3", tip: "diamond", width: 1.5, colour: "--type-metric", meaning: "is measured by" },
  powers: { dash: "7 4", tip: "open", width: 1.5, colour: "--type-dashboard", meaning: "is shown by" },
  exports: { dash: "10 3 2 3", tip: "dot", width: 1.5, colour: "--type-pipeline", meaning: "is exported by" },
  reads: { dash: "4 4", tip: "dot", width: 1.5, colour: "--type-table", meaning: "is read by" },
  DIRECT: { dash: "", tip: "arrow", width: 1.25, colour: "--accent", meaning: "column: values go on (DIRECT)" },
  INDIRECT: {
    dash: "1.5 3.5",
    tip: "open",
    width: 1.25,
    colour: "--warn",
    meaning: "column: decides which values (INDIRECT)",
  },
  passes: { dash: "12 3", tip: "arrow", width: 1.5, colour: "--ink-faint", meaning: "the change passes on" },
  hidden: { dash: "1 5", tip: "open", width: 1.5, colour: "--ink-faint", meaning: "leads on through hidden types" },
  fold: { dash: "3 3", tip: "none", width: 1, colour: "--line-strong", meaning: "more, folded" },
};

/** How a differing link looks besides: what is new is wide, what is gone has gaps. */
export const DIFFERENCE_LOOKS: Readonly<Record<Difference, Partial<LineLook> & Pick<LineLook, "colour" | "width">>> = {
  added: { colour: "--good", width: 3 },
  removed: { colour: "--bad", width: 2, dash: "3 7" },
  changed: { colour: "--warn", width: 2.5 },
};

export function lookOf({ kind, difference }: Pick<Line, "kind" | "difference">): LineLook {
  return { ...LINE_LOOKS[kind], ...(difference && DIFFERENCE_LOOKS[difference]) };
}

/** The shapes of tips, drawn so that they end at the origin of a line that comes from the left. */
export const TIP_SHAPES: Readonly<Record<Exclude<Tip, "none">, { path: string; isFilled: boolean }>> = {
  arrow: { path: "M-8,-4 L0,0 L-8,4 Z", isFilled: true },
  open: { path: "M-8,-4.5 L0,0 L-8,4.5", isFilled: false },
  dot: { path: "M-7,0 a3.5,3.5 0 1 0 7,0 a3.5,3.5 0 1 0 -7,0 Z", isFilled: true },
  diamond: { path: "M-10,0 L-5,-4 L0,0 L-5,4 Z", isFilled: true },
  bar: { path: "M-8,-4 L-2,0 L-8,4 Z M-1,-5 L-1,5", isFilled: true },
};
