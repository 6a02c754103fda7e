/** Authenticates requests. */
import type { Authenticator } from "../../auth/bearer.ts";
import { isWhole } from "../body.ts";
import type { Check } from "../state.ts";

/** @returns a check that throws the errors of `authenticate` */
export function requireToken(authenticator: Authenticator): Check {
  return async (ctx) => {
    const { req, state } = ctx;
    state.wasWhole = isWhole(ctx);
    // Node's `headers` contains only the first of several headers. Here, several are an error.
    state.principal = await authenticator.authenticate(req.headersDistinct["authorization"] ?? []);
  };
}
