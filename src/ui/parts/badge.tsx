/** Small labels: what an asset is, how much it can be trusted, and the state of things. */
import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";

import styles from "./badge.module.css";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { NODE_TYPE_TABLE, type NodeType } from "./node-types.ts";

/** The icon of an asset's type, with its name for screen readers. */
export function TypeIcon({ type }: { type: NodeType }) {
  return (
    <span className="inline" style={colourOf(type)} role="img" aria-label={type} title={type}>
      <Icon name={type} />
    </span>
  );
}

export function TypeBadge({ type }: { type: NodeType }) {
  return (
    <span className={`${LOOK} ${styles["typed"]}`} style={colourOf(type)}>
      <Icon name={type} size={12} /> {type}
    </span>
  );
}

const LOOK = `row inline tight medium nowrap ${styles["badge"]}`;

function colourOf(type: NodeType) {
  return { color: `var(${NODE_TYPE_TABLE[type].colour})` };
}

type Tone = "neutral" | "good" | "warn" | "bad";

interface BadgeProps {
  label: ReactNode;
  tone?: Tone;
  icon?: IconName;
  title?: string | undefined;
  /** Explains it on hover and focus. */
  hint?: string | null;
}

export function Badge({ label, tone = "neutral", icon, title, hint = null }: BadgeProps) {
  return (
    <Hint text={hint}>
      <span
        className={classNames(LOOK, tone === "neutral" ? `soft ${styles["neutral"]}` : `wash ${tone}`)}
        title={title}
      >
        {icon && <Icon name={icon} size={12} />}
        {label}
      </span>
    </Hint>
  );
}

export const CERTIFICATIONS = {
  certified: { tone: "good", icon: "certified" },
  pending: { tone: "warn", icon: "clock" },
  deprecated: { tone: "bad", icon: "warning" },
} as const;

/** Shows nothing if nobody has judged it. */
export function CertificationBadge({ certification }: { certification: keyof typeof CERTIFICATIONS | "none" }) {
  return certification === "none" ? null : <Badge {...CERTIFICATIONS[certification]} label={certification} />;
}

export const RISKS = {
  high: { tone: "bad", icon: "warning", title: "It breaks, or people who trust it are misled." },
  medium: { tone: "warn", icon: "info", title: "It may break, or show other rows." },
  low: { tone: "neutral", icon: "check", title: "It continues to work." },
} as const;

export type Risk = keyof typeof RISKS;

export function RiskBadge({ risk }: { risk: Risk }) {
  const { title, ...look } = RISKS[risk];
  return <Badge {...look} label={`${risk} risk`} hint={title} />;
}

/** The same without a hint, for places that show many. */
export function RiskMark({ risk }: { risk: Risk }) {
  const { tone, icon } = RISKS[risk];
  return <Badge {...{ tone, icon }} label={`${risk} risk`} />;
}

const DELAY_MS = 250;

/** Around all hints: after the first one, the next appears at once. */
export function HintProvider({ children }: { children: ReactNode }) {
  return <Tooltip.Provider delayDuration={DELAY_MS}>{children}</Tooltip.Provider>;
}

/** A tooltip on hover and focus. Its text is never needed to use the page. @param text if there is none, only the content is shown */
function Hint({ text, children }: { text: string | null | undefined; children: ReactNode }) {
  if (!text) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className={`inline ${styles["trigger"]}`}>{children}</Tooltip.Trigger>
      <Tooltip.Content className={`popup small ${styles["hint"]}`} sideOffset={4} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Root>
  );
}
