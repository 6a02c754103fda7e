import { Badge } from "../../parts/badge.tsx";
import type { IconName } from "../../parts/icon.tsx";

type Health = "healthy" | "degraded" | "unhealthy" | "unknown" | "disabled";

const LOOKS: Record<
  Health,
  { tone: "good" | "warn" | "bad" | "neutral"; icon: IconName; title: string; words: string }
> = {
  healthy: { tone: "good", icon: "check", title: "Its last run completed without errors.", words: "healthy" },
  degraded: { tone: "warn", icon: "warning", title: "Its last run completed, with errors.", words: "degraded" },
  unhealthy: { tone: "bad", icon: "warning", title: "Its last run failed.", words: "failing" },
  unknown: { tone: "neutral", icon: "clock", title: "It has not run to an end yet.", words: "not run yet" },
  disabled: { tone: "neutral", icon: "stop", title: "It is disabled, and does not sync.", words: "disabled" },
};

export function HealthBadge({ health }: { health: Health }) {
  const { tone, icon, title, words } = LOOKS[health];
  return (
    <Badge tone={tone} icon={icon} title={title}>
      {words}
    </Badge>
  );
}
