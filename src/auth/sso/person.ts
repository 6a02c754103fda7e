/** The parts of a provider's answer about a person that the service uses. */
import { isEmailAddress } from "../../catalog/email.ts";
import type { Role } from "../../metadata/records.ts";
import type { Identity } from "../../metadata/login-records.ts";
import { findName } from "../../plain-text.ts";
import type { SsoSettings } from "../../settings/settings.ts";
import type { Claims } from "./provider.ts";

const MAX_NAME_CHARACTERS = 100;

export interface SsoPerson {
  identity: Identity;
  /** An address that the provider has verified, in one of its domains; null if there is none. */
  email: string | null;
  /** "" if unknown. */
  name: string;
  /** The role of the person's groups; null if groups decide no roles. */
  role: Role | null;
}

type PersonSettings = Pick<SsoSettings, "domains" | "groupsClaim" | "adminGroups" | "engineerGroups">;

export function toPerson(claims: Claims, settings: PersonSettings): SsoPerson {
  const { iss: issuer, sub: subject, name } = claims;
  return {
    identity: { issuer, subject },
    email: findAddress(claims, settings),
    name: (typeof name === "string" && findName(name, MAX_NAME_CHARACTERS)) || "",
    role: findRole(claims[settings.groupsClaim], settings),
  };
}

function findAddress({ email, email_verified: verified }: Claims, { domains }: PersonSettings): string | null {
  if (typeof email !== "string" || !isEmailAddress(email)) return null;
  // Some providers write the boolean as a text.
  if (verified !== true && verified !== "true") return null;
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return domains.includes(domain) ? email : null;
}

function findRole(claim: unknown, { adminGroups, engineerGroups }: PersonSettings): Role | null {
  if (adminGroups.length === 0 && engineerGroups.length === 0) return null;
  const groups = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  if (adminGroups.some((group) => groups.has(group))) return "admin";
  return engineerGroups.some((group) => groups.has(group)) ? "engineer" : "analyst";
}
