/** One attempt to log in at the provider. The browser keeps it in an encrypted cookie until it comes back. */
import { z } from "zod";

import { type Clock, latestFrom, type RandomBytes } from "../../clock.ts";
import type { Sealer } from "../../metadata/sealer.ts";

/** How long a person may take at the provider. */
export const FLOW_SECONDS = 600;

const flow = z.object({
  /** The provider sends it back. It proves that this browser began the attempt (RFC 6749, 10.12). */
  state: z.string(),
  /** The ID token has it, so that it cannot be one of another attempt (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: z.string(),
  /** Proves at the token endpoint that the code is ours (RFC 7636). */
  verifier: z.string(),
  returnTo: z.string(),
  /** The id or name of a workspace; null: any. */
  workspace: z.string().nullable(),
  /** Milliseconds since 1970. */
  endsAt: z.number(),
});

export type Flow = z.output<typeof flow>;

const OWNER = "single sign-on";
const RANDOM_BYTES = 32;

export function createFlow(
  { clock, random }: { clock: Clock; random: RandomBytes },
  { returnTo, workspace }: Pick<Flow, "returnTo" | "workspace">,
): Flow {
  const text = (): string => random(RANDOM_BYTES).toString("base64url");
  const endsAt = clock.now().getTime() + FLOW_SECONDS * 1_000;
  return { state: text(), nonce: text(), verifier: text(), returnTo, workspace, endsAt };
}

export function sealFlow(sealer: Sealer, value: Flow): string {
  return sealer.seal(JSON.stringify(value), OWNER);
}

/** @returns null if the cookie was changed, made by another service, or is too old */
export function openFlow(sealer: Sealer, clock: Clock, cookie: string): Flow | null {
  try {
    const { data } = flow.safeParse(JSON.parse(sealer.open(cookie, OWNER)));
    const now = clock.now();
    // An attempt that would last too long began before the clock was set back.
    const isFromFuture = (data?.endsAt ?? 0) > Date.parse(latestFrom(now, FLOW_SECONDS * 1_000));
    return data !== undefined && data.endsAt > now.getTime() && !isFromFuture ? data : null;
  } catch {
    return null;
  }
}
