/** The words of notice rules. */
import { KINDS as CHANGES } from "../../changes/kinds.ts";
import type { ChangeKind } from "../../changes/documents.ts";
import type { NoticeRow, NoticeRuleCard } from "./documents.ts";

type Kind = NoticeRuleCard["kinds"][number];
type Channel = NoticeRuleCard["channel"];
type Scope = NoticeRuleCard["aboutBy"];

export const KINDS: readonly { value: Kind; label: string; isUsual: boolean }[] = [
  { value: "certification_lapsed", label: "A certification lapses", isUsual: true },
  { value: "metric_certified", label: "A metric is certified", isUsual: false },
  { value: "certification_withdrawn", label: "A certification is withdrawn", isUsual: false },
  { value: "sync_failed", label: "A sync fails", isUsual: true },
  { value: "connector_recovered", label: "A connector works again", isUsual: true },
  ...Object.entries(CHANGES).map(([kind, label]) => ({
    value: kind as ChangeKind,
    label: `Change: ${label}`,
    isUsual: false,
  })),
];

export const CHANNELS: readonly { value: Channel; label: string }[] = [
  { value: "webhook", label: "Webhook" },
  { value: "slack", label: "Slack" },
  { value: "teams", label: "Microsoft Teams" },
  { value: "email", label: "E-mail" },
];

export const RISKS: readonly { value: NonNullable<NoticeRuleCard["minRisk"]> | ""; label: string }[] = [
  { value: "", label: "Of any risk" },
  { value: "low", label: "That can break something" },
  { value: "medium", label: "Of at least medium risk" },
  { value: "high", label: "Of high risk" },
];

const EVERYTHING = { value: "everything", label: "Everything", about: "" } as const;

export const SCOPES: readonly { value: Scope; label: string; about: string }[] = [
  EVERYTHING,
  { value: "person", label: "What a person owns", about: "E-mail of the owner or certifier" },
  { value: "tag", label: "A tag", about: "The tag" },
  { value: "connector", label: "A connector", about: "Id of the connector" },
  { value: "asset", label: "One asset or metric", about: "Id of the asset or metric" },
  { value: "upstream", label: "An asset and what is upstream", about: "Id of the asset or metric" },
  { value: "downstream", label: "An asset and what is downstream", about: "Id of the asset or metric" },
];

export function findScope(scope: Scope): (typeof SCOPES)[number] {
  return SCOPES.find(({ value }) => value === scope) ?? EVERYTHING;
}

export const STATUSES: Readonly<Record<NoticeRow["status"], { label: string; tone: "neutral" | "good" | "bad" }>> = {
  waiting: { label: "waiting", tone: "neutral" },
  delivered: { label: "delivered", tone: "good" },
  failed: { label: "failed", tone: "bad" },
};

/** Takes the label of a choice. */
export function labelOf<T extends string>(choices: readonly { value: T; label: string }[], value: T): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

export function describeAbout({ aboutBy, about }: Pick<NoticeRuleCard, "aboutBy" | "about">): string {
  const scope = labelOf(SCOPES, aboutBy);
  return about === null ? scope : `${scope}: ${about}`;
}

/** The last try in words. */
export function describeTry({ tries }: Pick<NoticeRow, "tries">): string {
  const last = tries.at(-1);
  if (last === undefined) return "Not sent yet";
  if (last.status === null) return `The address ${last.answer}`;
  return last.answer === "" ? `Status ${last.status}` : `Status ${last.status}: ${last.answer}`;
}
