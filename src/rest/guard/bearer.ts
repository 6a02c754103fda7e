/** Who is asking. */
import type { Authenticator } from "../../auth/bearer.ts";
import type { Principal } from "../../auth/principal.ts";
import type { RestContext } from "../state.ts";

/** @throws AppError, as `authenticate` does */
export async function authenticateRequest(ctx: RestContext, authenticator: Authenticator): Promise<Principal> {
  // Node's `headers` keeps the first of several; here several are a fault.
  const principal = await authenticator.authenticate(ctx.req.headersDistinct["authorization"] ?? []);
  ctx.state.principal = principal;
  return principal;
}
