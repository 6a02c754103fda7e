/** Single sign-on: sends people to the provider, and logs them in when they come back. */
import type { Logger } from "pino";

import { toWorkspaceId } from "../../ids.ts";
import { createSealer } from "../../metadata/sealer.ts";
import type { SsoSettings } from "../../settings/settings.ts";
import { LoginError, notAllowed } from "../logins/login-error.ts";
import { isAt } from "../logins/log-in.ts";
import type { LoginParts } from "../logins/login-parts.ts";
import type { RefusalTrail } from "../refusals.ts";
import { type Browser, openSession } from "../sessions/open.ts";
import { createFlow, openFlow, sealFlow } from "./flow.ts";
import { type SsoPerson, toPerson } from "./person.ts";
import { createSsoProvider } from "./provider.ts";
import { linkIdentity } from "./link-identity.ts";

/** The path to which the provider sends people back. It must be registered there. */
export const CALLBACK_PATH = "/auth/sso/callback";

export interface Sso {
  /** What the login page calls the provider. */
  name: string;
  /**
   * @returns where to send the browser, and the cookie that it must bring back
   * @throws LoginError `sso_unavailable`
   */
  begin(wanted: { returnTo?: string | undefined; workspace?: string | undefined }): Promise<{ url: URL; flow: string }>;
  /**
   * @param query the query of the address at which the provider sent the browser back
   * @param flow the cookie of `begin`; null if the browser brought none
   * @returns the value of the session's cookie, and the path to go on to
   * @throws LoginError, and the errors of `openSession`
   */
  finish(query: string, flow: string | null, browser: Browser): Promise<{ cookie: string; returnTo: string }>;
  /** @returns where the browser logs out at the provider; null if that cannot be, or the provider is away */
  logoutUrl(): Promise<string | null>;
}

export function createSso(
  parts: LoginParts,
  {
    settings,
    secretKey,
    refusals,
    log,
  }: { settings: SsoSettings; secretKey: Buffer; refusals: RefusalTrail; log: Pick<Logger, "warn"> },
): Sso {
  const { store, clock, random, publicUrl } = parts;
  const provider = createSsoProvider(settings, clock);
  const sealer = createSealer(secretKey, random, OWNER);

  /** @throws LoginError `sso_not_allowed` */
  async function logIn(person: SsoPerson, workspace: string | null, browser: Browser): Promise<string> {
    const users = await linkIdentity({ store, log, workspace: settings.workspace }, person, browser.source);
    const chosen = users.find((each) => isAt(each, workspace));
    if (chosen === undefined) throw notAllowed("The person has no user in the workspace that the login is for.");
    const userIds = users.map(({ user }) => user.id);
    return store.transaction(async (nouns) => {
      // The user may have been disabled since.
      const still = (await nouns.logins.findByIdentity(person.identity)).find(({ user }) => user.id === chosen.user.id);
      if (still === undefined || still.user.disabledAt !== null) {
        throw notAllowed("The user of this person is disabled.");
      }
      return openSession(parts, nouns, { user: still.user, sso: true, userIds }, browser);
    });
  }

  /**
   * Notes it in the workspace that the login is for, or else in one that the person has a user in, or else in the one that
   * new people join. Never rejects, because the person must be told why the login was refused.
   */
  async function noteRefusal(
    person: SsoPerson,
    wanted: string | null,
    refusal: { reason: string; source: string },
  ): Promise<void> {
    try {
      const [own] = await store.logins.findByIdentity(person.identity);
      const { workspaces } = store;
      const named =
        wanted === null
          ? null
          : ((await workspaces.findById(toWorkspaceId(wanted))) ?? (await workspaces.findByName(wanted)));
      const home = named ?? own?.workspace ?? (await workspaces.findByName(settings.workspace));
      await refusals.noteSsoRefusal(home, person, refusal);
    } catch (err) {
      log.warn({ err }, "a refusal of single sign-on could not be written to the audit trail");
    }
  }

  return {
    name: settings.name,
    async begin({ returnTo, workspace }) {
      const flow = createFlow({ clock, random }, { returnTo: toReturnPath(returnTo), workspace: workspace ?? null });
      const url = await provider.authorizationUrl(flow, `${publicUrl()}${CALLBACK_PATH}`);
      return { url, flow: sealFlow(sealer, flow) };
    },
    async finish(query, sealed, browser) {
      const flow = sealed === null ? null : openFlow(sealer, clock, sealed);
      if (flow === null)
        throw new LoginError("sso_failed", "This login was not begun in this browser, or took too long.");
      const claims = await provider.readClaims(flow, new URL(`${publicUrl()}${CALLBACK_PATH}?${query}`));
      const person = toPerson(claims, settings);
      try {
        return { cookie: await logIn(person, flow.workspace, browser), returnTo: flow.returnTo };
      } catch (error) {
        if (error instanceof LoginError)
          await noteRefusal(person, flow.workspace, { reason: error.message, source: browser.source });
        throw error;
      }
    },
    async logoutUrl() {
      try {
        return await provider.logoutUrl(`${publicUrl()}/login`);
      } catch (err) {
        log.warn({ err }, "nobody can be logged out at the provider of single sign-on");
        return null;
      }
    },
  };
}

/** What the key is for that encrypts attempts to log in. */
const OWNER = "single sign-on";

/** Any origin. The path must not lead away from it. */
const HERE = "https://here.invalid";
const MAX_CHARACTERS = 2_000;

/** @returns the path with its query and fragment; `/` if the text is anything else than a path of this service */
export function toReturnPath(text: string | undefined): string {
  // Browsers go to another host for `//host` and `/\host`, also if tabs or line breaks are in between.
  if (text === undefined || text.length > MAX_CHARACTERS || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return "/";
  const url = URL.parse(text, HERE);
  if (url === null || url.origin !== HERE || url.pathname.startsWith("//")) return "/";
  // A login must not lead to another login.
  if (url.pathname === "/login" || url.pathname.startsWith("/auth/")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
