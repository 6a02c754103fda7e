/** A page of the service in a browser: it keeps cookies, and sends the same headers as the service's pages. */
import type { App } from "../../src/app.ts";
import { makeFirstAdminLink } from "../../src/auth/links/make-links.ts";
import type { Workspace } from "../../src/metadata/records.ts";
import { getDefaultWorkspace } from "../../src/cli/start/workspace.ts";
import { present } from "./present.ts";
import { at, type Json } from "./rest-client.ts";

export const PASSWORD = "a heron by the lake";

interface PageAnswer {
  status: number;
  headers: Headers;
  body: Json;
  /** The `Set-Cookie` lines. */
  setCookies: string[];
}

export interface Page {
  /** Cookies by their names. A test may change them. */
  cookies: Map<string, string>;
  /** The CSRF token in the last answer about the session. */
  csrf: () => string;
  /** @param headers replace those that a page sends; null leaves one out */
  ask: (method: string, path: string, body?: unknown, headers?: Record<string, string | null>) => Promise<PageAnswer>;
  /** The data of a query, or the code of its first error. */
  query: (query: string, variables?: Record<string, unknown>) => Promise<Json>;
  logIn: (email: string, password?: string, more?: Record<string, string>) => Promise<PageAnswer>;
  useLink: (link: string, more?: Record<string, unknown>) => Promise<PageAnswer>;
}

/** @param publicUrl the service's URL as the browser sees it */
export function openPage(url: string, { publicUrl = url, source = "" } = {}): Page {
  const cookies = new Map<string, string>();
  let csrf = "";

  const ask: Page["ask"] = async (method, path, body, headers = {}) => {
    const given: Record<string, string | null> = {
      ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
      ...(method === "POST" && { origin: publicUrl, "sec-fetch-site": "same-origin", "x-csrf-token": csrf }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(source !== "" && { "x-forwarded-for": source }),
      ...headers,
    };
    const sent = Object.entries(given).filter((header): header is [string, string] => header[1] !== null);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: sent,
      redirect: "manual",
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const parsed: Json = isJson && text !== "" ? JSON.parse(text) : text;
    const told = typeof parsed === "object" ? at(parsed, "csrf_token") : undefined;
    if (typeof told === "string") csrf = told;
    return { status: response.status, headers: response.headers, body: parsed, setCookies };
  };

  return {
    cookies,
    csrf: () => csrf,
    ask,
    async query(query, variables = {}) {
      const { body } = await ask("POST", "/graphql", { query, variables });
      return at(body, "errors", 0, "extensions", "code") ?? at(body, "error") ?? at(body, "data");
    },
    logIn: (email, password = PASSWORD, more = {}) => ask("POST", "/auth/login", { email, password, ...more }),
    useLink: (link, more = {}) => ask("POST", "/auth/link/use", { token: tokenOf(link), password: PASSWORD, ...more }),
  };
}

/** The token of a one-time link. */
export function tokenOf(link: string): string {
  return new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("token") ?? "";
}

/** Logs in as the first admin of a workspace, in a new browser. */
export async function openAdminPage(
  app: App,
  url: string,
  { email = "ada@example.com", workspace }: { email?: string; workspace?: Workspace } = {},
): Promise<Page> {
  const made = await makeFirstAdminLink(app.logins, workspace ?? (await getDefaultWorkspace(app.metadata)));
  const page = openPage(url);
  const { status } = await page.useLink(present(made).url, { email });
  if (status !== 200) throw new Error(`the first admin's link answered ${status}`);
  return page;
}

/** @returns the one-time link */
export async function invite(admin: Page, email: string, role: string): Promise<string> {
  const mutation = `mutation ($input: InvitePersonInput!) { invitePerson(input: $input) { link } }`;
  return String(at(await admin.query(mutation, { input: { email, role } }), "invitePerson", "link"));
}

/** Invites a person, who uses the link in a new browser. */
export async function openPersonPage(admin: Page, url: string, email: string, role: string): Promise<Page> {
  const link = await invite(admin, email, role);
  const page = openPage(url);
  const { status } = await page.useLink(link);
  if (status !== 200) throw new Error(`the invitation answered ${status}`);
  return page;
}
