/** The routes where people log in and out. */
import type { Router } from "@koa/router";
import type { Logger } from "pino";

import { CALLBACK_PATH } from "../../auth/sso/sso.ts";
import type { RestContext } from "../state.ts";
import * as endpoints from "./endpoints.ts";
import * as paths from "./paths.ts";
import { answerSsoBegin, answerSsoCallback } from "./sso.ts";

export function addAuthRoutes(
  router: Router<RestContext["state"]>,
  parts: endpoints.AuthParts & { log: Pick<Logger, "warn"> },
): void {
  router.get(paths.SESSION_PATH, endpoints.answerOwnSession(parts));
  router.post(paths.LOGIN_PATH, endpoints.answerLogin(parts));
  router.post(paths.LOGOUT_PATH, endpoints.answerLogout(parts));
  router.post(paths.SWITCH_PATH, endpoints.answerSwitch(parts));
  router.post(paths.PASSWORD_PATH, endpoints.answerPassword(parts));
  router.post(paths.LINK_PATH, endpoints.answerLink(parts));
  router.post(paths.LINK_USE_PATH, endpoints.answerLinkUse(parts));
  router.get(paths.SSO_PATH, answerSsoBegin(parts));
  router.get(CALLBACK_PATH, answerSsoCallback(parts));
}
