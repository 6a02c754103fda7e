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
  /** Why there is none; "" if there is one. */
  noEmail: string;
  /** The address that the provider sends, which may be anybody's; "" if it sends none. */
  claimed: string;
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
    ...readAddress(claims, settings),
    name: (typeof name === "string" && findName(name, MAX_NAME_CHARACTERS)) || "",
    role: findRole(claims[settings.groupsClaim], settings),
  };
}

function readAddress(claims: Claims, { domains }: PersonSettings): Pick<SsoPerson, "email" | "noEmail" | "claimed"> {
  const claimed = typeof claims.email === "string" && isEmailAddress(claims.email) ? claims.email : "";
  const noEmail = findFault(claimed, claims["email_verified"], domains);
  return { email: noEmail === "" ? claimed : null, noEmail, claimed };
}

function findFault(email: string, verified: unknown, domains: readonly string[]): string {
  if (email === "") return "The provider sends no e-mail address.";
  // Some providers write the boolean as a text.
  if (verified !== true && verified !== "true") return "The provider does not say that the address is verified.";
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return domains.includes(domain) ? "" : "The domain of the address is not in OIDC_DOMAINS.";
}

function findRole(claim: unknown, { adminGroups, engineerGroups }: PersonSettings): Role | null {
  if (adminGroups.length === 0 && engineerGroups.length === 0) return null;
  const groups = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  if (adminGroups.some((group) => groups.has(group))) return "admin";
  return engineerGroups.some((group) => groups.has(group)) ? "engineer" : "analyst";
}
