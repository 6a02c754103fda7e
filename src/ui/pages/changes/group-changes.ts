/** Groups a page of changes by the day here, and by who or which sync made them. */
import type { Change } from "./documents.ts";

export interface ChangeGroup {
  /** The id of the first change. */
  id: string;
  at: string;
  by: Pick<Change, "actor" | "by" | "sync">;
  changes: Change[];
  /** What followed from them: the certifications that a sync let lapse. They are later, and come after their cause. */
  effects: Change[];
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
    const { id, at, actor, by, sync } = change;
    const day = dayOf.format(new Date(at));
    if (days.at(-1)?.day !== day) days.push({ day, groups: [] });
    const groups = days.at(-1)?.groups ?? [];
    const last = groups.at(-1);
    const isNear = last !== undefined && Date.parse(last.at) - Date.parse(at) < TOGETHER_MS;
    if (isNear && last.by.actor === actor && last.by.sync?.id === sync?.id) last.changes.push(change);
    else if (isNear && sync !== null && last.by.actor === `connector ${sync.connector}`) {
      groups.splice(-1, 1, { id, at, by: { actor, by, sync }, changes: [change], effects: last.changes });
    } else groups.push({ id, at, by: { actor, by, sync }, changes: [change], effects: [] });
  }
  return days;
}
