/** What admins do with the notice rules of a workspace, and persons with their own. */
import { change } from "../auth/change.ts";
import { parseName } from "../auth/names.ts";
import type { Origin } from "../auth/origin.ts";
import type { Clock, RandomBytes } from "../clock.ts";
import type { SourceAddresses } from "../connectors/http/source-addresses.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { NoticeId, NoticeRuleId, UserId } from "../ids.ts";
import {
  CHANNELS,
  isForOwners,
  type Notice,
  type NoticeChannel,
  type NoticeRule,
  type NoticeTarget,
  type NoticeTry,
} from "../metadata/notice-records.ts";
import type { RuleChange } from "../metadata/notice-rules.ts";
import type { MetadataStore, Repositories } from "../metadata/store.ts";
import { createFeedSecret, feedUrl } from "./feed.ts";
import { toBody } from "./message.ts";
import { type NewRule, parseRecipient, parseUrl, parseWords, requireChanges, requireHour } from "./parse-rule.ts";
import { isTaken, type Outgoing } from "./send.ts";
import { createWebhookSecret, rotateSecrets } from "./signature.ts";
import type { Unsubscribe } from "./unsubscribe.ts";
import type { NoticeWatch } from "./watch.ts";

export const MAX_RULES = 20;

export interface NoticeRuleParts {
  store: MetadataStore;
  clock: Clock;
  random: RandomBytes;
  addresses: Pick<SourceAddresses, "check">;
  send: (outgoing: Outgoing) => Promise<NoticeTry>;
  publicUrl: () => string;
  unsubscribe: Unsubscribe;
  watch: NoticeWatch;
  /** Whether mails can be sent. */
  hasMail: boolean;
  /** The person whose own rules these are; absent: they are the workspace's. */
  person?: { id: UserId; email: string };
}

const NO_ADDRESS = { href: "", origin: "" };

interface NewSecret {
  kept: NoticeTarget["secrets"][number];
  /** What is shown once. */
  show: (rule: NoticeRule) => string;
}

/** Null if the channel has no secret. */
function createSecret({ random, publicUrl }: NoticeRuleParts, channel: NoticeChannel): NewSecret | null {
  if (channel === "webhook") {
    const secret = createWebhookSecret(random);
    return { kept: { secret, until: null }, show: () => secret };
  }
  if (channel !== "feed") return null;
  const { secret, hashed } = createFeedSecret(random);
  return { kept: { secret: hashed, until: null }, show: ({ id }) => feedUrl(publicUrl(), id, secret) };
}

/**
 * Adds a rule. The secret of a webhook or the address of a feed is returned here and cannot be read later.
 * @throws AppError `bad_request` for a bad field, `conflict` if the name is taken or there are too many
 */
export async function addNoticeRule(
  parts: NoticeRuleParts,
  origin: Origin,
  { name: said, channel, url, to, minRisk, digestHour, ...words }: NewRule,
): Promise<{ rule: NoticeRule; secret: string | null }> {
  const name = parseName(said);
  const { kinds, aboutBy, about } = parseWords(words);
  const { person } = parts;
  requireChanges(kinds, minRisk);
  requireHour(channel, digestHour);
  const { by, isForPeople, isOwn } = CHANNELS[channel];
  if (person !== undefined && !isOwn) throw badField("channel", "must be email, bell or feed for a rule of one's own");
  const address = by === "post" ? parseUrl(url, parts.addresses) : NO_ADDRESS;
  if (by === "mail" && !parts.hasMail) {
    if (person !== undefined)
      throw new AppError("bad_request", "Mails are not set up. Ask the operator to set SMTP_URL and MAIL_FROM.");
    throw badField("channel", "needs SMTP_URL and MAIL_FROM, which are not set");
  }
  const secret = createSecret(parts, channel);
  const target = { url: address.href, secrets: secret === null ? [] : [secret.kept] };
  const rule = await change(parts.store, origin, async ({ connectors, noticeRules, users }, note) => {
    const meant = await findMeant({ connectors }, origin, { aboutBy, about });
    const recipient = isForPeople ? await parseRecipient({ users }, origin.workspace.id, person?.email ?? to) : "";
    const given = {
      name,
      channel,
      kinds,
      minRisk,
      aboutBy,
      about: meant,
      origin: address.origin,
      recipient,
      digestHour,
    };
    const whose = { workspaceId: origin.workspace.id, personId: person?.id ?? null, createdBy: origin.actor.name };
    const added = await noticeRules.create({ ...given, ...whose }, target, MAX_RULES);
    await note("notice_rule_added", added.id, shown(parts, given));
    return added;
  });
  return { rule, secret: secret && secret.show(rule) };
}

/**
 * What a rule is about, as it is kept: a connector by its id, which stays if it is renamed.
 * @throws AppError `bad_request` if there is no such connector
 */
async function findMeant(
  { connectors }: Pick<MetadataStore, "connectors">,
  { workspace }: Origin,
  { aboutBy, about }: Pick<NewRule, "aboutBy" | "about">,
): Promise<string> {
  if (aboutBy !== "connector") return about;
  const found = await connectors.findNamed(workspace.id, about);
  if (found === null) throw badField("about", "must be the name or id of a connector");
  return found.id;
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
  { name, url, to, disabled, kinds, minRisk, aboutBy, about, digestHour }: ChangedRule,
): Promise<NoticeRule> {
  const address = url === undefined ? undefined : parseUrl(url, parts.addresses);
  const newName = name === undefined ? undefined : parseName(name);
  return change(parts.store, origin, async ({ connectors, noticeRules, users }, note) => {
    const before = await getRule({ noticeRules }, parts, origin, id);
    const { by, isForPeople } = CHANNELS[before.channel];
    if (by !== "post" && url !== undefined) throw badField("url", "must be left out, because it posts to no address");
    if (parts.person !== undefined && to !== undefined) throw badField("to", "must be left out, because it is yours");
    if (!isForPeople && to) throw badField("to", "must be left out, because it is not for people");
    requireHour(before.channel, digestHour ?? null);
    const words = parseWords({
      kinds: kinds ?? before.kinds,
      aboutBy: aboutBy ?? before.aboutBy,
      about: about ?? (aboutBy === undefined || aboutBy === before.aboutBy ? before.about : ""),
    });
    requireChanges(words.kinds, minRisk === undefined ? before.minRisk : minRisk);
    const known = await noticeRules.getTarget(origin.workspace.id, id);
    const target = address === undefined ? undefined : { ...known, url: address.href };
    if (disabled === false) requireTarget(before.channel, target ?? known);
    const isOther = aboutBy !== undefined || about !== undefined;
    const set: RuleChange = {
      ...words,
      ...(isOther && { about: await findMeant({ connectors }, origin, words) }),
      ...(newName !== undefined && { name: newName }),
      ...(minRisk !== undefined && { minRisk }),
      ...(digestHour !== undefined && { digestHour }),
      ...(to !== undefined && { recipient: await parseRecipient({ users }, origin.workspace.id, to) }),
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

/** A rule that came with a workspace from another store lacks what is secret. */
function requireTarget(channel: NoticeChannel, { url, secrets }: NoticeTarget): void {
  if (CHANNELS[channel].by === "post" && url === "")
    throw badField("url", "is needed, because its address stayed behind");
  if ((channel === "webhook" || channel === "feed") && secrets.length === 0)
    throw new AppError(
      "conflict",
      "Give it a new secret first (npx tributary notice rotate), because the one that it had stayed behind.",
    );
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
 * Gives a webhook a new secret, whose present one stays valid for a day, or a feed a new address instead of the present one.
 * @throws AppError `not_found`, `conflict` if it has no secret
 */
export async function rotateNoticeSecret(
  parts: NoticeRuleParts,
  origin: Origin,
  id: NoticeRuleId,
): Promise<{ rule: NoticeRule; secret: string }> {
  const { store, clock } = parts;
  return change(store, origin, async ({ noticeRules }, note) => {
    const { name, channel } = await getRule({ noticeRules }, parts, origin, id);
    const secret = createSecret(parts, channel);
    if (secret === null) throw new AppError("conflict", "Only a webhook or a feed has a secret.");
    const target = await noticeRules.getTarget(origin.workspace.id, id);
    const secrets = channel === "feed" ? [secret.kept] : rotateSecrets(target.secrets, secret.kept.secret, clock.now());
    await note("notice_rule_changed", id, shown(parts, { name, secret: "rotated" }));
    const rule = await noticeRules.change(origin.workspace.id, id, { target: { ...target, secrets } });
    return { rule, secret: secret.show(rule) };
  });
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
  if (CHANNELS[channel].by === "read") throw new AppError("conflict", "Only a rule that sends can be tested.");
  if (isForOwners(rule)) throw new AppError("conflict", "Only a rule for one person can be tested.");
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

type Whose = Pick<NoticeRuleParts, "person">;

/** @returns null if there is none. Another person's rule does not exist, for admins as well. */
export async function findNoticeRule(
  { noticeRules }: Pick<Repositories, "noticeRules">,
  whose: Whose,
  { workspace }: Origin,
  id: NoticeRuleId,
): Promise<NoticeRule | null> {
  const rule = await noticeRules.findById(workspace.id, id);
  return rule !== null && isOf(rule, whose) ? rule : null;
}

/** @throws AppError `not_found` */
async function getRule(...asked: Parameters<typeof findNoticeRule>): Promise<NoticeRule> {
  const rule = await findNoticeRule(...asked);
  if (rule === null) throw notFound("notice rule", asked[3]);
  return rule;
}

function isOf({ personId }: Pick<NoticeRule, "personId">, { person }: Whose): boolean {
  return personId === (person?.id ?? null);
}
