/** Service accounts, and a client's requests to the token endpoint. */
import type { App } from "../../src/app.ts";
import type { AuthParts } from "../../src/auth/change.ts";
import { fromCommandLine, type Origin } from "../../src/auth/origin.ts";
import { createServiceAccount } from "../../src/auth/service-accounts.ts";
import type { AccountId } from "../../src/ids.ts";
import type { Role } from "../../src/metadata/records.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import type { Json } from "./rest-client.ts";

export interface OauthClient {
  accountId: AccountId;
  clientId: string;
  clientSecret: string;
}

/** The workspace's first admin at the command line. */
export async function adminOf({ metadata }: App): Promise<Origin> {
  const workspace = await getDefaultWorkspace(metadata);
  return fromCommandLine(workspace, await getFirstAdmin(metadata, workspace));
}

/** The parts that the use cases of `auth/` need. */
export function authPartsOf({ metadata, clock, random }: App): AuthParts {
  return { store: metadata, clock, random };
}

/** A service account of the workspace `default`. */
export async function createOauthClient(app: App, role: Role, name: string = role): Promise<OauthClient> {
  const { account, clientSecret } = await createServiceAccount(authPartsOf(app), await adminOf(app), { name, role });
  return { accountId: account.id, clientId: account.clientId, clientSecret };
}

interface TokenAnswer {
  status: number;
  headers: Headers;
  body: { [key: string]: Json };
}

/** Sends a form to the token endpoint. */
export async function postForm(
  url: string,
  form: string | Record<string, string>,
  headers: Record<string, string> = {},
  query = "",
): Promise<TokenAnswer> {
  const response = await fetch(`${url}/oauth/token${query}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export function basic({ clientId, clientSecret }: Pick<OauthClient, "clientId" | "clientSecret">): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
}
