/** The requests of the browser login: `/auth/*`. */

export interface Session {
  user: { id: string; name: string; email: string; role: string };
  workspace: { id: string; name: string };
  /** All that the user may enter. */
  workspaces: { id: string; name: string }[];
  scopes: string[];
  csrf_token: string;
  expires_at: string;
}

/** How people can log in here. */
export interface LoginWays {
  password: boolean;
  /** The name of the identity provider. */
  sso: { name: string } | null;
}

/** What a one-time link is for. */
export interface OneTimeLink {
  kind: "first_admin" | "invitation" | "reset";
  email: string;
}

/** An answer that refuses a request, with the service's own words. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  /** The code, such as `unauthorized`. */
  readonly code: string;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body["message"] === "string" ? body["message"] : "The service refused the request.");
    this.status = status;
    this.code = typeof body["error"] === "string" ? body["error"] : "";
    this.body = body;
  }
}

interface Request {
  method?: "GET" | "POST";
  body?: object;
  csrfToken?: string;
}

/**
 * @returns the answer's JSON, or null if it has no body
 * @throws Refusal if the service refuses
 * @throws TypeError if it cannot be reached
 */
export async function askAuth<T>(path: string, { method = "GET", body, csrfToken }: Request = {}): Promise<T> {
  const response = await fetch(`/auth/${path}`, {
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(csrfToken === undefined ? {} : { "X-CSRF-Token": csrfToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = parseObject(text);
  if (!response.ok) throw new Refusal(response.status, json ?? {});
  // The service is of the same version as this page; its tests hold the two together.
  return json as T;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
