/** Explains the lines and marks that are in the picture. */
import { CERTIFICATIONS, Icon } from "../../../parts/marks.tsx";
import { RISKS } from "../../impact/filter.tsx";
import type { Line, LineKind } from "../model/lines.ts";
import { DIFFERENCE_LOOKS, LINE_LOOKS } from "../model/line-looks.ts";
import type { LineageNode } from "../model/graph.ts";
import type { Picture } from "../model/picture.ts";
import { describeWhen, DIFFERENCES } from "../model/diff.ts";
import effectStyles from "./effect.module.css";
import styles from "./legend.module.css";
import lineStyles from "./lines-layer.module.css";
import { TipView } from "./lines-layer.tsx";

const ORDER = Object.keys(LINE_LOOKS) as LineKind[];

/** What each risk means for what is affected. */
const MEANINGS = {
  high: "breaks, or misleads",
  medium: "may break, or show other rows",
  low: "continues to work",
} as const;

/** The icons beside a node's name. */
const MARKS = [
  ...Object.entries(CERTIFICATIONS).map(([meaning, { icon, tone }]) => {
    return { icon, tone, meaning, isOn: ({ certification }: LineageNode) => certification === meaning };
  }),
  {
    icon: "warning",
    tone: "warn",
    meaning: "its column lineage has a gap",
    isOn: ({ gap }: LineageNode) => gap !== null,
  },
] as const;

export function Legend({ lines, picture }: { lines: readonly Line[]; picture: Picture }) {
  const { impact, diff } = picture;
  const all = [...picture.nodes.values()];
  const present = new Set(lines.map(({ kind }) => kind));
  return (
    <details className={`soft ${styles["legend"]}`} open={matchMedia("(min-width: 60rem)").matches}>
      <summary className="medium">Legend</summary>
      <ul>
        {ORDER.filter((kind) => present.has(kind)).map((kind) => (
          <li key={kind} className="beside-icon snug">
            <svg width="40" height="12" viewBox="0 0 40 12" aria-hidden="true">
              <g className={lineStyles["line"]} color={`var(${LINE_LOOKS[kind].colour})`}>
                <path d="M1,6 L38,6" strokeWidth={LINE_LOOKS[kind].width} strokeDasharray={LINE_LOOKS[kind].dash} />
                <TipView kind={kind} x={39} y={6} />
              </g>
            </svg>
            {LINE_LOOKS[kind].meaning}
          </li>
        ))}
        {impact !== null &&
          RISKS.map((risk) => (
            <li key={risk} className="beside-icon snug">
              <span className={`relative ${effectStyles["effect"]} ${styles["effect"]}`} data-effect={risk} />
              {risk} risk: {MEANINGS[risk]}
            </li>
          ))}
        {diff !== null &&
          DIFFERENCES.map((difference) => (
            <li key={difference} className="beside-icon snug">
              <svg width="40" height="14" viewBox="0 0 40 14" aria-hidden="true">
                <g className={lineStyles["line"]} color={`var(${DIFFERENCE_LOOKS[difference].colour})`}>
                  <path
                    d="M1,7 L39,7"
                    strokeWidth={DIFFERENCE_LOOKS[difference].width}
                    strokeDasharray={DIFFERENCE_LOOKS[difference].dash}
                  />
                </g>
              </svg>
              {difference} {describeWhen(diff)}
            </li>
          ))}
        {MARKS.filter(({ isOn }) => all.some(isOn)).map(({ icon, tone, meaning }) => (
          <li key={meaning} className="beside-icon snug">
            <span className={`row ${tone} ${styles["mark"]}`}>
              <Icon name={icon} size={13} />
            </span>
            {meaning}
          </li>
        ))}
        {all.some(({ isReferenced }) => isReferenced) && (
          <li className="beside-icon snug">
            <span className={styles["referenced"]} />
            only referenced: no connector has it
          </li>
        )}
      </ul>
    </details>
  );
}
