/** The steps that every request passes before its route is found, for REST, GraphQL and pages. */
import type { Logger } from "pino";
import { isIPv6 } from "node:net";

import { badField } from "../errors.ts";
import { endInTime, type EndParts } from "./end-in-time.ts";
import { answerErrors, toErrorAnswer, type Translator } from "./answer/error-answer.ts";
import { type LockoutGuard, noteAuthentication } from "./guard/lockout.ts";
import { waitForTurn } from "./guard/progress.ts";
import { countRequest, type Quota, showQuota } from "./guard/quota.ts";
import { toOauthErrorAnswer } from "./oauth/error-answer.ts";
import { type LoginWays, toSessionErrorAnswer } from "./auth/session-answer.ts";
import type { TokenChecks } from "./guard/token.ts";
import { toMcpErrorAnswer } from "./mcp/metadata.ts";
import { logRequests } from "./observe-requests.ts";
import { refuseForeignOrigins } from "./origin.ts";
import {
  ALIVE_PATH,
  API_PREFIX,
  DATAHUB_PREFIX,
  GRAPHQL_PATH,
  isUnder,
  MCP_PATH,
  READY_PATH,
  SESSION_PATH,
  TOKEN_PATH,
  WITH_SESSION,
} from "./paths.ts";
import { openScope, type ScopeParts } from "./request-scope.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import type { Check, Middleware, RestContext } from "./state.ts";
import { refuseMalformedPaths } from "./unmatched.ts";

interface StepParts extends ScopeParts, EndParts {
  /** The paths of the REST API that need no token. */
  openPaths: readonly string[];
  log: Logger;
  lockout: LockoutGuard;
  checks: TokenChecks;
  quota: Quota;
  publicUrl: () => string;
  loginWays: LoginWays;
}

/** `exempt`: only health. `public`: no token, but not for a source that is locked out. */
type Access = "exempt" | "public" | "token";

const EVERY: readonly Access[] = ["exempt", "public", "token"];
/** All requests except health. */
const GUARDED: readonly Access[] = ["public", "token"];
/** Requests that need a token or a session. */
const TOKEN: readonly Access[] = ["token"];

/** Returns the steps in order. The scopes of the token are checked later, by the route. */
export function createSteps({ checks, quota, ...parts }: StepParts): Middleware[] {
  const accessOf = createAccessRule(parts.openPaths);
  const forThose =
    (access: readonly Access[], step: Middleware): Middleware =>
    (ctx, next) =>
      access.includes(accessOf(ctx)) ? step(ctx, next) : next();

  const translators = new Map<string, Translator>([
    [TOKEN_PATH, toOauthErrorAnswer],
    [MCP_PATH, toMcpErrorAnswer(parts.publicUrl)],
    [SESSION_PATH, toSessionErrorAnswer(parts.loginWays)],
  ]);
  const steps: readonly (readonly [of: readonly Access[], step: Middleware])[] = [
    [EVERY, openScope(parts)],
    [EVERY, logRequests(parts.log)],
    [EVERY, setSecurityHeaders],
    [EVERY, noteAuthentication(parts.lockout)],
    [EVERY, answerErrors(parts.log, ({ path }) => translators.get(path) ?? toErrorAnswer)],
    [EVERY, endInTime(parts)],
    [GUARDED, toStep(checks.lockout)],
    [EVERY, toStep(refuseMalformedHosts)],
    [TOKEN, toStep(refuseForeignOrigins(parts.publicUrl))],
    [TOKEN, toStep(checks.bearer)],
    [TOKEN, showQuota(quota)],
    [TOKEN, toStep(checks.allowlist)],
    [TOKEN, waitForTurn(parts.turns)],
    [TOKEN, toStep(countRequest)],
    [EVERY, toStep(refuseMalformedPaths)],
  ];
  return steps.map(([access, step]) => forThose(access, step));
}

/**
 * Every path under the API's prefix needs a token, even an unknown one. GraphQL requests need a token or session too, but
 * GraphiQL's page does not. The Model Context Protocol needs one for every method.
 * @param openPaths paths of the REST table that require nothing
 */
function createAccessRule(openPaths: Iterable<string>): (ctx: RestContext) => Access {
  const exempt = new Set([ALIVE_PATH, READY_PATH, ...openPaths]);
  return ({ method, path }) => {
    if (exempt.has(path)) return "exempt";
    if (WITH_SESSION.includes(path)) return "token";
    if (path === GRAPHQL_PATH) return method === "GET" || method === "HEAD" ? "public" : "token";
    return path === MCP_PATH || [API_PREFIX, DATAHUB_PREFIX].some((prefix) => isUnder(prefix, path))
      ? "token"
      : "public";
  };
}

function toStep(check: Check): Middleware {
  return async (ctx, next) => {
    await check(ctx);
    await next();
  };
}

/** RFC 3986, 3.2.2 and 3.2.3; it may be empty (RFC 9110, 7.2). */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Checks the `Host` header (RFC 9112, 3.2). There must be exactly one, because a proxy might use another one than we do.
 * Runs before the token is checked, as Node's own parser does.
 * @throws AppError `bad_request`
 */
const refuseMalformedHosts: Check = ({ req }) => {
  const fault = faultOf(req.headersDistinct["host"] ?? [], req.httpVersionMinor);
  if (fault !== null) throw badField("Host", fault);
};

function faultOf(hosts: readonly string[], httpVersionMinor: number): string | null {
  const [host] = hosts;
  if (host === undefined) return httpVersionMinor === 0 ? null : "is required";
  if (hosts.length > 1) return "is given more than once";
  const found = HOST.exec(host);
  const isHost = found !== null && (found[1] === undefined || isIPv6(found[1]));
  return isHost ? null : "is no host, with or without a port";
}
