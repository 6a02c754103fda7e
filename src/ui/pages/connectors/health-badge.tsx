import { Badge } from "../../parts/marks.tsx";

const LOOKS = {
  healthy: { tone: "good", icon: "check", title: "Its last run completed without errors.", words: "healthy" },
  degraded: { tone: "warn", icon: "warning", title: "Its last run completed, with errors.", words: "degraded" },
  unhealthy: { tone: "bad", icon: "warning", title: "Its last run failed.", words: "failing" },
  unknown: { tone: "neutral", icon: "clock", title: "It has not run to an end yet.", words: "not run yet" },
  disabled: { tone: "neutral", icon: "stop", title: "It is disabled, and does not sync.", words: "disabled" },
} as const;

export function HealthBadge({ health }: { health: keyof typeof LOOKS }) {
  const { words, ...look } = LOOKS[health];
  return <Badge label={words} {...look} />;
}
