/** Who is asking. */
import type { Authenticator } from "../../auth/bearer.ts";
import { isWhole } from "../body.ts";
import type { Check } from "../state.ts";

/** @returns a check that throws what `authenticate` throws */
export function requireToken(authenticator: Authenticator): Check {
  return async (ctx) => {
    const { req, state } = ctx;
    state.wasWhole = isWhole(ctx);
    // Node's `headers` keeps the first of several; here several are a fault.
    state.principal = await authenticator.authenticate(req.headersDistinct["authorization"] ?? []);
  };
}
