/** Groups a page of changes by the day here, and by who or which sync made them. */
import type { Change } from "./documents.ts";

export interface ChangeGroup {
  /** The id of the first change. */
  id: string;
  at: string;
  by: Pick<Change, "actor" | "sync">;
  changes: Change[];
}

export interface ChangeDay {
  day: string;
  groups: ChangeGroup[];
}

const dayOf = new Intl.DateTimeFormat("en", { dateStyle: "full" });

/** A person's edits and the lapses after a sync follow each other within seconds. */
const TOGETHER_MS = 60_000;

export function groupChanges(changes: readonly Change[]): ChangeDay[] {
  const days: ChangeDay[] = [];
  for (const change of changes) {
    const { id, at, actor, sync } = change;
    const day = dayOf.format(new Date(at));
    if (days.at(-1)?.day !== day) days.push({ day, groups: [] });
    const groups = days.at(-1)?.groups ?? [];
    const last = groups.at(-1);
    const isSame = last?.by.actor === actor && last.by.sync?.id === sync?.id;
    if (isSame && Date.parse(last.at) - Date.parse(at) < TOGETHER_MS) last.changes.push(change);
    else groups.push({ id, at, by: { actor, sync }, changes: [change] });
  }
  return days;
}
