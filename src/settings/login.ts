/** Settings of sessions and of single sign-on. */
import { z } from "zod";

import { domains, groups, issuer, printable, upTo, words } from "./values.ts";

export const login = {
  SESSION_IDLE_HOURS: upTo(24 * 30).register(words, {
    about: "After how many hours without use a person is logged out.",
    default: "12",
  }),
  SESSION_DAYS: upTo(365).register(words, {
    about: "After how many days a person must log in again, used or not.",
    default: "14",
  }),
  OIDC_ISSUER: issuer.optional().register(words, {
    about: "For single sign-on: the issuer of the OpenID Connect provider, as its discovery document names it.",
    mustBe: "an https URL such as https://example.okta.com, without credentials or a query",
  }),
  OIDC_CLIENT_ID: printable(1_000).optional().register(words, { about: "The service's client id at the provider." }),
  OIDC_CLIENT_SECRET: printable(1_000)
    .optional()
    .register(words, { about: "The service's client secret at the provider.", isSecret: true }),
  OIDC_DOMAINS: domains.optional().register(words, {
    about:
      "The e-mail domains that the provider answers for, separated by commas; only people with a verified address there can sign in.",
    mustBe: "domains separated by commas, such as example.com,example.org",
  }),
  OIDC_NAME: z
    .string()
    .trim()
    .max(60)
    .regex(/^[^\p{Cc}]+$/u)
    .register(words, {
      about: "What the login page calls the provider.",
      default: "Single sign-on",
      mustBe: "1 to 60 characters",
    }),
  OIDC_WORKSPACE: printable(64).register(words, {
    about: "The workspace that new people from the provider join.",
    default: "default",
    mustBe: "the name of a workspace",
  }),
  OIDC_GROUPS_CLAIM: printable(200).register(words, { about: "The claim with a person's groups.", default: "groups" }),
  OIDC_ADMIN_GROUPS: groups.optional().register(words, {
    about: "Groups whose members are admins, separated by commas. With groups set, every login sets the role by them.",
  }),
  OIDC_ENGINEER_GROUPS: groups.optional().register(words, {
    about: "Groups whose members are engineers, separated by commas; everybody else is an analyst.",
  }),
};
