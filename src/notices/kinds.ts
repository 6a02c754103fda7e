/**
 * What each kind of event is in words. To add a kind: its name in `metadata/notice-records.ts`, a row here, and a call of
 * `addNoticeEvent` in the transaction of what happened. A kind of change in the catalog needs only its row.
 */
import { CHANGE_ENTRY_KINDS, type ChangeEntryKind } from "../catalog/changes/change.ts";
import { excerpt } from "../characters.ts";
import type { PastChange } from "../graph/history/list-changes.ts";
import type { NoticeKind, ToldEvent } from "../metadata/notice-records.ts";

interface KindWords {
  /** One sentence in plain text, without markup. */
  say: (event: Pick<ToldEvent, "name" | "actor" | "owner">) => string;
  /** The first part of the path of the subject's page, or the page of all notice rules. */
  page: "metrics" | "connectors" | "assets" | "settings/notices";
}

const changed = (what: string): KindWords => ({ say: ({ name }) => `${name} ${what}.`, page: "assets" });

export const KIND_WORDS: Readonly<Record<NoticeKind, KindWords>> = {
  certification_lapsed: { say: ({ name }) => `The certification of ${name} lapsed.`, page: "metrics" },
  metric_certified: { say: ({ name, actor }) => `${name} was certified by ${actor}.`, page: "metrics" },
  certification_withdrawn: {
    say: ({ name, actor }) => `The certification of ${name} was withdrawn by ${actor}.`,
    page: "metrics",
  },
  sync_failed: { say: ({ name }) => `The sync of ${name} failed.`, page: "connectors" },
  connector_recovered: { say: ({ name }) => `${name} works again.`, page: "connectors" },
  notice_rule_switched_off: {
    say: ({ name }) => `${name === "" ? "A notice rule of your own" : `The notice rule ${name}`} was switched off.`,
    page: "settings/notices",
  },
  asset_added: changed("was added"),
  asset_removed: changed("was removed"),
  asset_renamed: changed("was renamed"),
  type_changed: changed("is another type of asset"),
  column_added: changed("was added"),
  column_removed: changed("was removed"),
  column_retyped: changed("has another type"),
  sql_changed: changed("has new SQL"),
  description_changed: changed("has another description"),
  owner_changed: changed("has another owner"),
  tags_changed: changed("has other tags"),
  certification_changed: changed("has another certification"),
  edge_added: changed("reads something more"),
  edge_removed: changed("no longer reads something"),
  check_failed: changed("fails a check"),
  check_passed: changed("passes a check again"),
  schedule_missed: changed("missed its schedule"),
  schedule_met: changed("runs by its schedule again"),
};

/** How much of a value or of a list of columns a note repeats. */
const MAX_VALUE = 60;
const MAX_PARTS = 5;
const MAX_MESSAGE = 200;

export function isChangeKind(kind: NoticeKind): kind is ChangeEntryKind {
  return CHANGE_ENTRY_KINDS.some((each) => each === kind);
}

/** @param found who found it, if no person or part of the service made it */
export function toToldChange(change: PastChange, found: string): ToldEvent {
  const { kind, node, subjects, moment, risk } = change;
  const [shown] = subjects;
  return {
    kind,
    at: moment.at,
    subject: node.parentId ?? node.id,
    type: node.type,
    name: node.fqn,
    owner: shown?.owner || shown?.ownerName || "",
    connector: shown?.connectors[0] ?? "",
    actor: moment.actor || found,
    note: [risk === null ? [] : `Risk: ${risk}.`, describe(change)].flat().join(" "),
    risk,
  };
}

function describe({ field, other, before, after, details, check }: PastChange): string[] {
  if (check !== null)
    return [check.message === "" ? `${check.name}.` : `${check.name}: ${excerpt(check.message, MAX_MESSAGE)}`];
  if (other !== null) return [`${other.fqn}.`];
  if (field === "sql") {
    const parts = details.slice(0, MAX_PARTS).map(({ kind, name }) => `${kind.replace("_", " ")} ${name}`);
    const more = details.length - parts.length;
    return details.length === 0 ? [] : [`${parts.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
  }
  if (before === null && after === null) return [];
  return [`${quote(before)} → ${quote(after)}`];
}

function quote(value: string | null): string {
  return value === null ? "nothing" : `“${excerpt(value, MAX_VALUE)}”`;
}
