/** Whether the workspace takes its tokens from there. */
import { requireAllowedSource } from "../../auth/allowed-source.ts";
import type { Principal } from "../../auth/principal.ts";
import type { RestContext } from "../state.ts";
import type { Quota } from "./quota.ts";

/** @throws AppError `forbidden`, with the headers that every answer to a known token carries */
export async function requireAllowed(ctx: RestContext, principal: Principal, quota: Quota): Promise<void> {
  try {
    requireAllowedSource(ctx.state.source, principal.security);
  } catch (refusal) {
    await quota.show(ctx, principal);
    throw refusal;
  }
}
