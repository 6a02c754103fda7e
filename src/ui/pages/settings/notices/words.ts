/** The words of notice rules. */
import { KINDS as CHANGES, type ChangeKind } from "../../changes/documents.ts";
import type { NoticeRow, NoticeRuleCard } from "./documents.ts";

type Kind = NoticeRuleCard["kinds"][number];
type Channel = NoticeRuleCard["channel"];
export type Scope = NoticeRuleCard["aboutBy"];

export const KINDS: readonly { value: Kind; label: string }[] = [
  { value: "certification_lapsed", label: "A certification lapses" },
  { value: "metric_certified", label: "A metric is certified" },
  { value: "certification_withdrawn", label: "A certification is withdrawn" },
  { value: "sync_failed", label: "A sync fails" },
  { value: "connector_recovered", label: "A connector works again" },
  { value: "notice_rule_switched_off", label: "A notice rule is switched off" },
  ...Object.entries(CHANGES).map(([kind, label]) => ({ value: kind as ChangeKind, label: `Change: ${label}` })),
];

export function isChange(kind: Kind): boolean {
  return Object.hasOwn(CHANGES, kind);
}

/** `asks`: what the form asks for. `isOwn`: whether a person's own rule can have it. */
export const CHANNELS: readonly { value: Channel; label: string; asks: "url" | "to" | null; isOwn: boolean }[] = [
  { value: "webhook", label: "Webhook", asks: "url", isOwn: false },
  { value: "slack", label: "Slack", asks: "url", isOwn: false },
  { value: "teams", label: "Microsoft Teams", asks: "url", isOwn: false },
  { value: "email", label: "E-mail", asks: "to", isOwn: true },
  { value: "bell", label: "Notices in the workspace", asks: "to", isOwn: true },
  { value: "feed", label: "Atom feed", asks: null, isOwn: true },
];

export function asksFor(channel: Channel): "url" | "to" | null {
  return CHANNELS.find(({ value }) => value === channel)?.asks ?? null;
}

/** What a new secret does, for the channels that have one. */
export const ROTATED: Readonly<Partial<Record<Channel, string>>> = {
  webhook:
    "For a day every notice is signed with both secrets, so that the receiver can change over without interruption.",
  feed: "It gets a new address. Whoever has the present one reads nothing more by it.",
};

export const RISKS: readonly { value: NonNullable<NoticeRuleCard["minRisk"]> | ""; label: string }[] = [
  { value: "", label: "Of any risk" },
  { value: "low", label: "That can break something" },
  { value: "medium", label: "Of at least medium risk" },
  { value: "high", label: "Of high risk" },
];

export const DIGESTS: readonly { value: string; label: string }[] = [
  { value: "", label: "At once" },
  ...Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `Once a day, at ${hour}:00 UTC` })),
];

const EVERYTHING = { value: "everything", label: "Everything", about: "" } as const;

export const SCOPES: readonly { value: Scope; label: string; about: string }[] = [
  EVERYTHING,
  { value: "person", label: "What a person owns", about: "E-mail of the owner or certifier" },
  { value: "tag", label: "A tag", about: "The tag" },
  { value: "connector", label: "A connector", about: "The connector" },
  { value: "asset", label: "One asset or metric", about: "The asset or metric" },
  { value: "upstream", label: "An asset and what is upstream", about: "The asset or metric" },
  { value: "downstream", label: "An asset and what is downstream", about: "The asset or metric" },
];

export function findScope(scope: Scope): (typeof SCOPES)[number] {
  return SCOPES.find(({ value }) => value === scope) ?? EVERYTHING;
}

export const TONES = { waiting: "neutral", delivered: "good", failed: "bad" } as const;

/** Takes the label of a choice. */
export function labelOf<T extends string>(choices: readonly { value: T; label: string }[], value: T): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** The last try in words. */
export function describeTry({ tries }: Pick<NoticeRow, "tries">): string {
  const last = tries.at(-1);
  if (last === undefined) return "Not sent yet";
  if (last.status === null) return `The address ${last.answer}`;
  return last.answer === "" ? `Status ${last.status}` : `Status ${last.status}: ${last.answer}`;
}
