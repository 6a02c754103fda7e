/** The lines between the nodes: one SVG behind them. Only the lines near the window are in the document. */
import { type ReactFlowState, useStore, ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";

import type { Risk } from "../../../parts/marks.tsx";
import { classNames } from "../../../parts/class-names.ts";
import { EFFECT_COLOURS } from "../model/impact.ts";
import { LINE_LOOKS, lookOf, TIP_SHAPES } from "../model/line-looks.ts";
import { boundsOfLine, type Line, type LineKind, toPath } from "../model/lines.ts";
import { useHighlight } from "./highlight.ts";
import styles from "./lines-layer.module.css";

/** The window is rounded to steps of this many pixels, so that moving it seldom changes which lines are drawn. */
const STEP = 800;

/** The part of the canvas that is near the window, in whole steps. */
function windowOf({ transform: [x, y, zoom], width, height }: ReactFlowState): string {
  const step = STEP / zoom;
  const steps = [
    Math.floor(-x / zoom / step - 0.5),
    Math.floor(-y / zoom / step - 0.5),
    Math.ceil((width - x) / zoom / step + 0.5),
    Math.ceil((height - y) / zoom / step + 0.5),
  ];
  return steps.map((it) => Math.round(it * step)).join(" ");
}

export function LinesLayer({ lines }: { lines: readonly Line[] }) {
  const near = useStore(windowOf);
  const { nodes, lines: highlighted, risks } = useHighlight();
  const shown = useMemo(() => {
    const [left = 0, top = 0, right = 0, bottom = 0] = near.split(" ").map(Number);
    return lines.filter((line) => {
      const { x, y, width, height } = boundsOfLine(line);
      return x <= right && x + width >= left && y <= bottom && y + height >= top;
    });
  }, [lines, near]);
  return (
    <ViewportPortal>
      <svg className={classNames(styles["layer"], nodes !== null && styles["dimmed"])} aria-hidden="true">
        {shown.map((line) => (
          <LineView
            key={line.id}
            line={line}
            isOn={highlighted.has(line.id)}
            risk={highlighted.has(line.id) ? risks.get(line.to) : undefined}
          />
        ))}
      </svg>
    </ViewportPortal>
  );
}

interface LineViewProps {
  line: Line;
  isOn: boolean;
  /** Of what it leads to. */
  risk: Risk | undefined;
}

const LineView = memo(function LineView({ line, isOn, risk }: LineViewProps) {
  const { dash, colour, width } = lookOf(line);
  return (
    <g
      className={classNames(styles["line"], styles[line.kind], isOn && styles["on"])}
      // With a risk, it has the colour of that. Patterns and tips stay those of the kind.
      color={`var(${risk === undefined ? colour : EFFECT_COLOURS[risk]})`}
      strokeWidth={width}
      data-line={line.kind}
      data-risk={risk}
      data-difference={line.difference}
    >
      <path d={toPath(line)} strokeDasharray={dash} />
      <TipView kind={line.kind} x={line.end.x} y={line.end.y} />
    </g>
  );
});

export function TipView({ kind, x, y }: { kind: LineKind; x: number; y: number }) {
  const { tip } = LINE_LOOKS[kind];
  if (tip === "none") return null;
  const { path, isFilled } = TIP_SHAPES[tip];
  return <path className={isFilled ? styles["filled"] : undefined} transform={`translate(${x},${y})`} d={path} />;
}
