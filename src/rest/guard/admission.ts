/** Lets a request in by its token, to where the rate limit is asked. */
import type { Authenticator } from "../../auth/bearer.ts";
import type { Principal } from "../../auth/principal.ts";
import type { RestContext } from "../state.ts";
import { requireAllowed } from "./allowlist.ts";
import { authenticateRequest } from "./bearer.ts";
import type { LockoutGuard } from "./lockout.ts";
import type { Quota } from "./quota.ts";

/**
 * Asked before the body is read, and again when it is there: a client may hold it back for as long as it likes, and
 * what was revoked in the meantime opens nothing.
 * @throws AppError, as `refuseBlocked`, `authenticateRequest` and `requireAllowed` do
 */
export type Admission = (ctx: RestContext) => Promise<Principal>;

interface AdmissionParts {
  lockout: LockoutGuard;
  authenticator: Authenticator;
  quota: Quota;
}

export function createAdmission({ lockout, authenticator, quota }: AdmissionParts): Admission {
  return async (ctx) => {
    await lockout.refuseBlocked(ctx.state.source);
    const principal = await authenticateRequest(ctx, authenticator);
    await requireAllowed(ctx, principal, quota);
    ctx.state.takePlaces = (places) => quota.take(ctx, principal, places);
    return principal;
  };
}
