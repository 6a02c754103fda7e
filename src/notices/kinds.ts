/**
 * What each kind of event is in words. To add a kind: its name in `metadata/notice-records.ts`, a row here, and a call of
 * `addNoticeEvent` in the transaction of what happened.
 */
import type { NoticeKind, ToldEvent } from "../metadata/notice-records.ts";

interface KindWords {
  /** One sentence in plain text, without markup. */
  say: (event: Pick<ToldEvent, "name" | "actor" | "owner">) => string;
  /** The first part of the path of the subject's page. */
  page: "metrics" | "connectors";
}

export const KIND_WORDS: Readonly<Record<NoticeKind, KindWords>> = {
  certification_lapsed: { say: ({ name }) => `The certification of ${name} lapsed.`, page: "metrics" },
  metric_certified: { say: ({ name, actor }) => `${name} was certified by ${actor}.`, page: "metrics" },
  certification_withdrawn: {
    say: ({ name, actor }) => `The certification of ${name} was withdrawn by ${actor}.`,
    page: "metrics",
  },
  sync_failed: { say: ({ name }) => `The sync of ${name} failed.`, page: "connectors" },
  connector_recovered: { say: ({ name }) => `${name} works again.`, page: "connectors" },
};
