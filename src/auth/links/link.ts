/** Makes one-time links, by which people set their passwords. */
import type { UserId } from "../../ids.ts";
import type { LoginLink } from "../../metadata/login-records.ts";
import type { Repositories } from "../../metadata/store.ts";
import { secondsFrom } from "../lifetime.ts";
import type { LoginParts } from "../logins/login-parts.ts";
import { createSecretValue } from "../sessions/cookie-value.ts";

export const LINK_HOURS = { first_admin: 24, invitation: 7 * 24, reset: 24 } as const;

export type LinkParts = Pick<LoginParts, "store" | "clock" | "random" | "publicUrl">;

/** A new link. Its address is not stored, and cannot be shown again. */
export interface MadeLink {
  url: string;
  link: LoginLink;
}

/** Makes a link in a transaction that has begun. Older ones of the same kind for the same address end. */
export async function makeLink(
  { clock, random, publicUrl }: LinkParts,
  { loginLinks }: Pick<Repositories, "loginLinks">,
  wanted: Pick<LoginLink, "workspaceId" | "kind" | "email" | "role"> & { createdBy: UserId | null },
): Promise<MadeLink> {
  const { value, stored } = createSecretValue(random);
  const expiresAt = secondsFrom(clock.now(), LINK_HOURS[wanted.kind] * 3_600);
  const link = await loginLinks.replace({ ...wanted, ...stored, expiresAt });
  // Browsers send no fragment, so the token is in no log.
  return { url: `${publicUrl()}/welcome#token=${value}`, link };
}
