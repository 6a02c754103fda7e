/** The handlers of the endpoints where people log in and out. */
import type { Logger } from "pino";

import type { Middleware } from "../state.ts";
import * as logins from "./logins.ts";
import type { AUTH_ENDPOINTS } from "./rows.ts";
import { answerSsoBegin, answerSsoCallback } from "./sso.ts";

export function createAuthHandlers(
  parts: logins.AuthParts & { log: Pick<Logger, "warn"> },
): Record<keyof typeof AUTH_ENDPOINTS, Middleware> {
  return {
    readSession: logins.answerOwnSession(parts),
    logIn: logins.answerLogin(parts),
    logOut: logins.answerLogout(parts),
    switchWorkspace: logins.answerSwitch(parts),
    changePassword: logins.answerPassword(parts),
    readLink: logins.answerLink(parts),
    useLink: logins.answerLinkUse(parts),
    beginSso: answerSsoBegin(parts),
    finishSso: answerSsoCallback(parts),
  };
}
