/** What a notice rule may say: each field is checked here, before the rule is stored. */
import { isEmailAddress } from "../catalog/email.ts";
import type { Risk } from "../catalog/impact.ts";
import { hasMoreCharacters } from "../characters.ts";
import type { SourceAddresses } from "../connectors/http/source-addresses.ts";
import { badField, badFields, type FieldFault } from "../errors.ts";
import type { WorkspaceId } from "../ids.ts";
import type { NoticeChannel, NoticeKind, NoticeScope } from "../metadata/notice-records.ts";
import type { Repositories } from "../metadata/store.ts";
import { isPlainLine } from "../plain-text.ts";
import { isChangeKind } from "./kinds.ts";
import { findPerson } from "./recipients.ts";

const MAX_URL_CHARACTERS = 2_000;
const MAX_ABOUT_CHARACTERS = 254;

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
  /** Of mails: the hour (UTC) of the daily mail; null to mail at once. */
  digestHour: number | null;
}

/** Only changes have a risk, so a rule with a least risk and without changes would not tell what it seems to. */
export function requireChanges(kinds: readonly NoticeKind[], minRisk: Risk | null): void {
  if (minRisk !== null && !kinds.some(isChangeKind))
    throw badField("kinds", "must have a kind of change, such as `column_removed`, because only changes have a risk");
}

/** @throws AppError `bad_request` */
export function requireHour(channel: NoticeChannel, hour: number | null): void {
  if (hour === null) return;
  if (channel !== "email") throw badField("digestHour", "must be left out, because only mails are gathered for a day");
  if (!Number.isInteger(hour) || hour < 0 || hour > 23) throw badField("digestHour", "must be an hour from 0 to 23");
}

/** @throws AppError `bad_request` */
export function parseWords({ kinds, aboutBy, about: said }: Pick<NewRule, "kinds" | "aboutBy" | "about">) {
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
  if (about === "") return "must say which one the rule is about";
  if (!isPlainLine(about) || hasMoreCharacters(about, MAX_ABOUT_CHARACTERS)) {
    return `must be 1 to ${MAX_ABOUT_CHARACTERS} visible characters`;
  }
  return by === "person" && !isEmailAddress(about) ? "must be an e-mail address" : null;
}

/** @throws AppError `bad_request` if nobody of the workspace has this address, or has logged in with it */
export async function parseRecipient(
  store: Pick<Repositories, "users">,
  workspaceId: WorkspaceId,
  to: string,
): Promise<string> {
  if (to === "") return "";
  const person = await findPerson(store, workspaceId, to);
  if (person === null) throw badField("to", "must be the address of a person of the workspace who has logged in");
  return person.email;
}

/** @throws AppError `bad_request` if it is no address that may be posted to. Names are checked when it is posted to. */
export function parseUrl(text: string, addresses: Pick<SourceAddresses, "check">): URL {
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
