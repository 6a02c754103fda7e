/** Who is logged in, and the requests of the browser login: `/auth/*`. One store for the whole page. */
import { useState } from "react";

import { createStore } from "../../parts/store.ts";

export type SessionState =
  | { status: "loading" }
  | { status: "in"; session: Session }
  /** The session ended while the page was open. The page stays, so that nothing that was typed is lost. */
  | { status: "expired"; session: Session; login: LoginWays }
  | { status: "out"; login: LoginWays }
  /** The service cannot be reached, or cannot say. */
  | { status: "unknown"; fault: string };

const PASSWORD_ONLY: LoginWays = { password: true, sso: null };

export const sessionStore = createStore<SessionState>({ status: "loading" });

/** Asks the service who is logged in. An open workspace stays, with what was typed in it, if the service cannot say. */
export async function loadSession(): Promise<void> {
  try {
    await askSession();
  } catch (error) {
    const { status } = sessionStore.get();
    if (status !== "in" && status !== "expired") sessionStore.set({ status: "unknown", fault: describeFault(error) });
  }
}

/** @throws Refusal or TypeError if the service cannot say; that nobody is logged in is an answer */
async function askSession(): Promise<void> {
  try {
    sessionStore.set({ status: "in", session: await askAuth<Session>("session") });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    endSession(error.login ?? PASSWORD_ONLY);
  }
}

/**
 * @throws Refusal if address or password are wrong, too many attempts were made, or the service fails
 * @throws TypeError if it cannot be reached
 */
export async function logIn(email: string, password: string): Promise<void> {
  await askAuth("login", { body: { email, password } });
  await askSession();
}

/**
 * Changes the password of who is logged in. Other sessions end.
 * @throws Refusal if the present one is wrong, or the next one too easy
 */
export async function changePassword(current: string, next: string): Promise<void> {
  const state = sessionStore.get();
  if (state.status !== "in") return;
  await askAuth("password", { body: { current, next }, csrfToken: state.session.csrf_token });
  await loadSession();
}

/**
 * Goes to another workspace that the login was good for, with a page that is loaded anew.
 * @throws Refusal if the login does not open it any more
 */
export async function switchWorkspace(workspace: string): Promise<void> {
  const state = sessionStore.get();
  if (state.status !== "in" || workspace === state.session.workspace.id) return;
  await askAuth("switch", { body: { workspace }, csrfToken: state.session.csrf_token });
  location.assign("/");
}

/** Logs out here, and at the identity provider if it has a page for that. */
export async function logOut(): Promise<void> {
  const state = sessionStore.get();
  if (state.status !== "in") return;
  const { csrf_token: csrfToken } = state.session;
  const answer = await askAuth<{ redirect?: string } | null>("logout", { csrfToken });
  location.assign(answer?.redirect ?? "/");
}

/** Called when the service no longer accepts the session. */
export function noteRefusedSession(): void {
  if (sessionStore.get().status === "in") void loadSession();
}

function endSession(login: LoginWays): void {
  const before = sessionStore.get();
  const wasIn = before.status === "in" || before.status === "expired";
  sessionStore.set(wasIn ? { status: "expired", session: before.session, login } : { status: "out", login });
}

/** The session of the pages behind the login. */
export function useSession(): Session {
  const state = sessionStore.use();
  if (state.status !== "in" && state.status !== "expired") throw new Error("This page is shown without a session.");
  return state.session;
}

/** Whether the user may edit what the catalog says. */
export function useMayWrite(): boolean {
  return useSession().scopes.includes("write");
}

/** Whether the user may manage connectors, people, tokens and settings. */
export function useIsAdmin(): boolean {
  return useSession().scopes.includes("admin");
}

/** @param send sends what the form says */
export function useRequest(send: (form: FormData) => Promise<void>, describe = describeFault) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await send(form);
    } catch (error) {
      setFault(describe(error));
    }
    setBusy(false);
  };
  return { submit: (form: FormData) => void submit(form), isBusy, fault };
}

export interface Session {
  user: { id: string; name: string; email: string; role: string };
  workspace: { id: string; name: string };
  /** All that the user may enter. */
  workspaces: { id: string; name: string }[];
  scopes: string[];
  csrf_token: string;
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

/**
 * @param sent with a POST; else it is a GET
 * @returns the answer's JSON, or null if it has no body
 * @throws Refusal if the service refuses
 * @throws TypeError if it cannot be reached
 */
export async function askAuth<T>(path: string, sent?: { body?: object; csrfToken?: string }): Promise<T> {
  const { body, csrfToken } = sent ?? {};
  const response = await fetch(`/auth/${path}`, {
    method: sent === undefined ? "GET" : "POST",
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
