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
  /** The address of the person; null for the first admin, who chooses one. */
  email: string | null;
}

/** A refusal lists the fields at fault, or has named details. */
interface RefusalBody {
  message?: string;
  /** `login` is there if somebody asks for a session without having one. */
  details?: { field: string; message: string }[] | { login?: LoginWays };
}

/** An answer that refuses a request, with the service's own words. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly login: LoginWays | undefined;

  constructor(status: number, { message, details = {} }: RefusalBody) {
    // The fault of a field is part of a sentence, such as "is too short".
    const faults = Array.isArray(details) ? details : [];
    const sentences = faults.map(({ field, message: fault }) => `The ${field} ${fault}.`).join(" ");
    super(sentences || message || "The service refused the request.");
    this.status = status;
    this.login = Array.isArray(details) ? undefined : details.login;
  }
}

/** The service's own words, if it answered. */
export function describeFault(error: unknown): string {
  return error instanceof Refusal ? error.message : "The service cannot be reached.";
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
  const json = parseJson(await response.text());
  // The service is of the same version as this page, and sends what is declared here. A proxy may send anything.
  if (!response.ok) throw new Refusal(response.status, (json ?? {}) as RefusalBody);
  return json as T;
}

/** Null for an empty answer, and for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
