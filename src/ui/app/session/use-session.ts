import type { Session } from "./api.ts";
import { sessionStore } from "./session-store.ts";

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
