/** What admins do with the notice rules of a workspace, and persons with their own. */
import { change } from "../auth/change.ts";
import { parseName } from "../auth/names.ts";
import type { Origin } from "../auth/origin.ts";
import { isEmailAddress } from "../catalog/email.ts";
import { hasMoreCharacters } from "../characters.ts";
import type { Clock, RandomBytes } from "../clock.ts";
import type { Risk } from "../catalog/impact.ts";
import type { SourceAddresses } from "../connectors/http/source-addresses.ts";
import { AppError, badField, badFields, type FieldFault, notFound } from "../errors.ts";
import type { NoticeId, NoticeRuleId, UserId } from "../ids.ts";
import type {
  Notice,
  NoticeChannel,
  NoticeKind,
  NoticeRule,
  NoticeScope,
  NoticeTry,
} from "../metadata/notice-records.ts";
import type { RuleChange } from "../metadata/notice-rules.ts";
import type { MetadataStore, Repositories } from "../metadata/store.ts";
import { isPlainLine } from "../plain-text.ts";
import { isChangeKind } from "./kinds.ts";
import { toBody } from "./message.ts";
import { findMailAddress } from "./recipients.ts";
import { isTaken, type Outgoing } from "./send.ts";
import { createWebhookSecret, rotateSecrets } from "./signature.ts";
import type { Unsubscribe } from "./unsubscribe.ts";

export const MAX_RULES = 20;
const MAX_URL_CHARACTERS = 2_000;
const MAX_ABOUT_CHARACTERS = 254;

export interface NoticeRuleParts {
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
  addresses: Pick<SourceAddresses, "check">;
  send: (outgoing: Outgoing) => Promise<NoticeTry>;
  publicUrl: () => string;
  unsubscribe: Unsubscribe;
  /** Whether mails can be sent. */
  hasMail: boolean;
  /** The person whose own rules these are; absent: they are the workspace's. */
  person?: { id: UserId; email: string };
}

export interface NewRule {
  name: string;
  channel: NoticeChannel;
  kinds: readonly NoticeKind[];
  minRisk: Risk | null;
  aboutBy: NoticeScope;
  about: string;
  /** Where to post to; "" for mails. */
  url: string;
  /** The address of a person, or "" for the owners of what is told; "" if it is no mail. */
  to: string;
}

/**
 * Adds a rule. The secret of a webhook is returned here and cannot be read later.
 * @throws AppError `bad_request` for a bad field, `conflict` if the name is taken or there are too many
 */
export async function addNoticeRule(
  parts: NoticeRuleParts,
  origin: Origin,
  { name: said, channel, url, to, minRisk, ...words }: NewRule,
): Promise<{ rule: NoticeRule; secret: string | null }> {
  const name = parseName(said);
  const { kinds, aboutBy, about } = parseWords(words);
  const { person } = parts;
  requireChanges(kinds, minRisk);
  if (person !== undefined && channel !== "email") throw badField("channel", "must be email for a rule of one's own");
  const address = channel === "email" ? NO_ADDRESS : parseUrl(url, parts.addresses);
  if (channel === "email" && !parts.hasMail) {
    if (person !== undefined)
      throw new AppError("bad_request", "Mails are not set up. Ask the operator to set SMTP_URL and MAIL_FROM.");
    throw badField("channel", "needs SMTP_URL and MAIL_FROM, which are not set");
  }
  const secret = channel === "webhook" ? createWebhookSecret(parts.random) : null;
  const target = { url: address.href, secrets: secret === null ? [] : [{ secret, until: null }] };
  const rule = await change(parts.store, origin, async ({ noticeRules, users }, note) => {
    const recipient = channel === "email" ? await parseRecipient({ users }, origin, person?.email ?? to) : "";
    const given = { name, channel, kinds, minRisk, aboutBy, about, origin: address.origin, recipient };
    const whose = { workspaceId: origin.workspace.id, personId: person?.id ?? null, createdBy: origin.actor.name };
    const added = await noticeRules.create({ ...given, ...whose }, target, MAX_RULES);
    await note("notice_rule_added", added.id, shown(parts, given));
    return added;
  });
  return { rule, secret };
}

/** Only changes have a risk, so a rule with a least risk and without changes would not tell what it seems to. */
function requireChanges(kinds: readonly NoticeKind[], minRisk: Risk | null): void {
  if (minRisk !== null && !kinds.some(isChangeKind))
    throw badField("kinds", "must have a kind of change, such as `column_removed`, because only changes have a risk");
}

export type ChangedRule = Partial<Omit<NewRule, "channel"> & { disabled: boolean }>;

/**
 * Changes what is given. A rule that is switched on again sends what happens from then on.
 * @throws AppError `not_found`, `bad_request` for a bad field, `conflict` if the name is taken
 */
export function changeNoticeRule(
  parts: NoticeRuleParts,
  origin: Origin,
  id: NoticeRuleId,
  { name, url, to, disabled, kinds, minRisk, aboutBy, about }: ChangedRule,
): Promise<NoticeRule> {
  const address = url === undefined ? undefined : parseUrl(url, parts.addresses);
  const newName = name === undefined ? undefined : parseName(name);
  return change(parts.store, origin, async ({ noticeRules, users }, note) => {
    const before = await getRule({ noticeRules }, parts, origin, id);
    if (before.channel === "email" && url !== undefined)
      throw badField("url", "must be left out, because it sends mails");
    if (parts.person !== undefined && to !== undefined) throw badField("to", "must be left out, because it is yours");
    if (before.channel !== "email" && to) throw badField("to", "must be left out, because it sends no mails");
    const words = parseWords({
      kinds: kinds ?? before.kinds,
      aboutBy: aboutBy ?? before.aboutBy,
      about: about ?? (aboutBy === undefined || aboutBy === before.aboutBy ? before.about : ""),
    });
    requireChanges(words.kinds, minRisk === undefined ? before.minRisk : minRisk);
    const target =
      address === undefined
        ? undefined
        : { ...(await noticeRules.getTarget(origin.workspace.id, id)), url: address.href };
    const set: RuleChange = {
      ...words,
      ...(newName !== undefined && { name: newName }),
      ...(minRisk !== undefined && { minRisk }),
      ...(to !== undefined && { recipient: await parseRecipient({ users }, origin, to) }),
      ...(disabled !== undefined && { disabled }),
      ...(address !== undefined && { origin: address.origin }),
      ...(target !== undefined && { target }),
    };
    const { target: _secret, ...said } = set;
    const details = { name: before.name, set: said, ...(address && { addressChanged: true }) };
    await note("notice_rule_changed", id, shown(parts, details));
    return noticeRules.change(origin.workspace.id, id, set);
  });
}

/** @throws AppError `not_found` */
export async function removeNoticeRule(parts: NoticeRuleParts, origin: Origin, id: NoticeRuleId): Promise<void> {
  await change(parts.store, origin, async ({ noticeRules }, note) => {
    const { name } = await getRule({ noticeRules }, parts, origin, id);
    await noticeRules.remove(origin.workspace.id, id);
    await note("notice_rule_removed", id, shown(parts, { name }));
  });
}

/**
 * Gives a webhook a new secret. The present one stays valid for a day.
 * @throws AppError `not_found`, `conflict` if it is no webhook
 */
export async function rotateNoticeSecret(
  parts: NoticeRuleParts,
  origin: Origin,
  id: NoticeRuleId,
): Promise<{ rule: NoticeRule; secret: string }> {
  const { store, clock, random } = parts;
  const secret = createWebhookSecret(random);
  const rule = await change(store, origin, async ({ noticeRules }, note) => {
    const { name, channel } = await getRule({ noticeRules }, parts, origin, id);
    if (channel !== "webhook") throw new AppError("conflict", "Only a webhook has a secret.");
    const target = await noticeRules.getTarget(origin.workspace.id, id);
    const secrets = rotateSecrets(target.secrets, secret, clock.now());
    await note("notice_rule_changed", id, { name, secret: "rotated" });
    return noticeRules.change(origin.workspace.id, id, { target: { ...target, secrets } });
  });
  return { rule, secret };
}

/**
 * Sends a test at once, also if the rule is off.
 * @returns the notice with its only try
 * @throws AppError `not_found`
 */
export async function testNoticeRule(parts: NoticeRuleParts, origin: Origin, id: NoticeRuleId): Promise<Notice> {
  const { store, clock, send, publicUrl, unsubscribe } = parts;
  const rule = await getRule(store, parts, origin, id);
  const target = await store.noticeRules.getTarget(origin.workspace.id, id);
  const noticeId = store.notices.newId();
  const test = { events: [], eventsTotal: 0, syncId: null, createdAt: clock.now().toISOString() };
  const { channel, recipient } = rule;
  if (channel === "email" && recipient === "")
    throw new AppError("conflict", "Only a rule for one person can be tested.");
  const path = unsubscribe.pathFor({ workspaceId: rule.workspaceId, ruleId: id, email: recipient });
  const said = { workspace: origin.workspace.name, publicUrl: publicUrl(), unsubscribeUrl: `${publicUrl()}${path}` };
  const body = toBody(channel, test, said);
  const tried = await send({ id: noticeId, channel, target, recipient: recipient || null, body });
  return store.notices.addTest(rule, noticeId, tried, isTaken(tried));
}

/**
 * Sends a notice again, with the same id, after those that wait.
 * @throws AppError `not_found`, `conflict` if it waits or its rule is off
 */
export function resendNotice(parts: NoticeRuleParts, origin: Origin, id: NoticeId): Promise<Notice> {
  return change(parts.store, origin, async ({ notices, noticeRules }) => {
    const notice = await notices.findById(origin.workspace.id, id);
    if (notice === null) throw notFound("notice", id);
    // The rule may be gone, which the next call says.
    const rule = await noticeRules.findById(origin.workspace.id, notice.ruleId);
    if (rule !== null && !isOf(rule, parts)) throw notFound("notice", id);
    return notices.resend(origin.workspace.id, id);
  });
}

/** Admins read the trail, and must not see what a person's own rule is about. */
function shown<T extends object>({ person }: NoticeRuleParts, details: T): T | { own: true } {
  return person === undefined ? details : { own: true };
}

async function getRule(
  { noticeRules }: Pick<Repositories, "noticeRules">,
  whose: Pick<NoticeRuleParts, "person">,
  { workspace }: Origin,
  id: NoticeRuleId,
): Promise<NoticeRule> {
  const rule = await noticeRules.findById(workspace.id, id);
  // Another person's rule does not exist, for admins as well.
  if (rule === null || !isOf(rule, whose)) throw notFound("notice rule", id);
  return rule;
}

export function isOf({ personId }: Pick<NoticeRule, "personId">, { person }: Pick<NoticeRuleParts, "person">): boolean {
  return personId === (person?.id ?? null);
}

/** @throws AppError `bad_request` */
function parseWords({ kinds, aboutBy, about: said }: Pick<NewRule, "kinds" | "aboutBy" | "about">) {
  const about = said.trim();
  const faults: FieldFault[] = [];
  if (kinds.length === 0) faults.push({ field: "kinds", message: "must name at least one kind of event" });
  const aboutFault = findAboutFault(aboutBy, about);
  if (aboutFault !== null) faults.push({ field: "about", message: aboutFault });
  if (faults.length > 0) throw badFields(faults);
  return { kinds: [...new Set(kinds)], aboutBy, about };
}

function findAboutFault(by: NoticeScope, about: string): string | null {
  if (by === "everything") return about === "" ? null : "must be left out if the rule is about everything";
  if (about === "" || !isPlainLine(about) || hasMoreCharacters(about, MAX_ABOUT_CHARACTERS)) {
    return `must be 1 to ${MAX_ABOUT_CHARACTERS} visible characters`;
  }
  return by === "person" && !isEmailAddress(about) ? "must be an e-mail address" : null;
}

const NO_ADDRESS = { href: "", origin: "" };

/** @throws AppError `bad_request` if nobody of the workspace has this address, or has logged in with it */
async function parseRecipient(store: Pick<Repositories, "users">, { workspace }: Origin, to: string): Promise<string> {
  if (to === "") return "";
  const address = await findMailAddress(store, workspace.id, to);
  if (address === null) throw badField("to", "must be the address of a person of the workspace who has logged in");
  return address;
}

/** @throws AppError `bad_request` if it is no address that may be posted to. Names are checked when it is posted to. */
function parseUrl(text: string, addresses: Pick<SourceAddresses, "check">): URL {
  const url = hasMoreCharacters(text, MAX_URL_CHARACTERS) ? null : URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw badField("url", `must be an https address of at most ${MAX_URL_CHARACTERS} characters`);
  }
  if (url.username !== "" || url.password !== "") throw badField("url", "must not contain a user name or password");
  try {
    addresses.check(url);
  } catch (error) {
    throw badField("url", "is at a private address: to post to it, list it in ALLOW_PRIVATE_SOURCES", error);
  }
  return url;
}
