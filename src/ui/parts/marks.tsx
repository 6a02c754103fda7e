/** Small marks: icons, and the labels of what an asset is, how much it can be trusted, and the state of things. */
import type { ReactNode } from "react";
import * as Tooltip from "@radix-ui/react-tooltip";

import { mapTypes, NODE_TYPE_TABLE, type NodeType } from "./node-types.ts";
import styles from "./badge.module.css";
import { classNames } from "./class-names.ts";

/** The icons: drawn for this UI on a grid of 16, with lines of one width. Screen readers do not see them. */
const PATHS = {
  ...mapTypes(({ icon }) => icon),
  home: "M2.5 7.5 8 2.5l5.5 5M4 6.5v7h8v-7M6.7 13.5V9.8h2.6v3.7",
  star: "m8 2 1.8 3.8 4.2.5-3.1 2.9.8 4.1L8 11.2l-3.7 2.1.8-4.1L2 6.3l4.2-.5Z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14",
  catalog: "M2.5 3.5h11M2.5 8h11M2.5 12.5h7",
  lineage: "M2 4h3.5C9 4 7 12 10.5 12H14M2 4a0 0 0 1 0 0 0M8 8h6M12 6l2 2-2 2M12 10l2 2-2 2",
  graphiql: "M8 1.8 13.4 5v6L8 14.2 2.6 11V5ZM2.6 11h10.8L8 1.8Z",
  book: "M8 4c-1.5-1-3.5-1-5.5-.8v9C4.5 12 6.5 12 8 13c1.5-1 3.5-1 5.5-.8v-9C11.5 3 9.5 3 8 4Zm0 0v9",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  monitor: "M2 3h12v8H2ZM6 14h4M8 11v3",
  user: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 14c.5-2.7 2.6-4 5.2-4s4.7 1.3 5.2 4",
  logout: "M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3",
  menu: "M2 4h12M2 8h12M2 12h12",
  close: "m3.5 3.5 9 9M12.5 3.5l-9 9",
  check: "m3 8.5 3.2 3.2L13 4.8",
  right: "m6 3.5 4.5 4.5L6 12.5",
  down: "m3.5 6 4.5 4.5L12.5 6",
  up: "M8 13V3M4 7l4-4 4 4",
  "arrow-down": "M8 3v10M4 9l4 4 4-4",
  edit: "M10.5 3 13 5.5 5.5 13H3v-2.5Z",
  copy: "M6 6h7.5v7.5H6ZM10 6V2.5H2.5V10H6",
  external: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4",
  warning: "M8 2 14.5 13.5h-13ZM8 6.5v3.2M8 11.6v.1",
  retired: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5.2v.1",
  lock: "M3.5 7.5h9v6h-9ZM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  filter: "M2 3.5h12L9.5 9v4l-3 1V9Z",
  certified:
    "m8 1.5 1.8 1.3 2.2 0 .7 2.1 1.8 1.3L13.8 8.3l.7 2.1-1.8 1.3-.7 2.1H9.8L8 15.1M8 1.5 6.2 2.8H4l-.7 2.1-1.8 1.3.7 2.1-.7 2.1 1.8 1.3.7 2.1h2.2L8 15.1M5.5 8.3l1.8 1.8 3.2-3.5",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  tag: "M2.5 2.5h5L14 9l-5 5-6.5-6.5ZM5.3 5.3v.1",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.3 1.5H2.7ZM6.7 14.3h2.6",
  history: "M2.5 8A5.5 5.5 0 1 0 4.2 4L2.5 5.6M2.5 2.5v3.1h3.1M8 5v3.2l2.2 1.3",
  people:
    "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.8 13c.4-2.4 2-3.6 4.2-3.6s3.8 1.2 4.2 3.6M10.5 2.8a2.5 2.5 0 0 1 0 4.5M12 9.7c1.3.5 2 1.6 2.3 3.3",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  plus: "M8 3v10M3 8h10",
  play: "M4.5 2.8 13 8l-8.5 5.2Z",
  stop: "M4 4h8v8H4Z",
  connector: "M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0ZM8 12.5V15",
  settings:
    "M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
  key: "M5 11.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 8.5h6M12 8.5v2.5",
  robot: "M3.5 5.5h9v7h-9ZM8 5.5V2.8M6 8.3v1.2M10 8.3v1.2M1.5 8v2.5M14.5 8v2.5",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  map: "M2.5 3h11v10h-11ZM8.5 8.5h3v2.5h-3Z",
  impact: "M8.8 1.5 3.5 9h4l-.4 5.5L12.5 7h-4Z",
  ask: "M2.5 3h11v8H8l-3.5 3v-3h-2ZM5.5 6h5M5.5 8.3h3",
  upload: "M8 10.5V2.5M5 5.5l3-3 3 3M2.5 10.5v3h11v-3",
  mail: "M2 3.5h12v9H2ZM2 4.5 8 9l6-4.5",
  start: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM10.5 5.5 9 9l-3.5 1.5L7 7Z",
  circle: "M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path d={PATHS[name]} stroke="currentcolor" strokeWidth={1.4} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

interface IconLineProps {
  icon: IconName;
  size?: number;
  tone?: "good" | "warn" | "bad" | "neutral";
  children: ReactNode;
}

/** A line of a list, with an icon before its text. */
export function IconLine({ icon, size = 16, tone, children }: IconLineProps) {
  return (
    <li className="beside-icon snug faint-icon wrap" data-tone={tone}>
      <Icon name={icon} size={size} />
      <span>{children}</span>
    </li>
  );
}

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
  deprecated: { tone: "bad", icon: "retired" },
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

/** @param hasHint false in places that show many */
export function RiskBadge({ risk, hasHint = true }: { risk: Risk; hasHint?: boolean }) {
  const { title, ...look } = RISKS[risk];
  return <Badge {...look} label={`${risk} risk`} hint={hasHint ? title : null} />;
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
