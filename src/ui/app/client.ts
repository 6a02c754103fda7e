/** The GraphQL client. The session's cookie authenticates it. */
import { cacheExchange, Client, fetchExchange, mapExchange } from "urql";

import { noteRefusedSession, sessionStore } from "./session/session-store.ts";

export function createClient(): Client {
  return new Client({
    url: "/graphql",
    preferGetMethod: false,
    // As server-sent events, by a POST like any other: it has the session's cookie and its CSRF token.
    fetchSubscriptions: true,
    exchanges: [
      mapExchange({
        onResult(result) {
          const status: unknown = result.error?.response?.status;
          // 403 too: another tab may have logged in as somebody else, which has another proof.
          if (status === 401 || status === 403) noteRefusedSession();
        },
      }),
      cacheExchange,
      fetchExchange,
    ],
    fetchOptions: () => {
      const state = sessionStore.get();
      // With the proof of a session that has ended, a request is not taken for one of a stranger who tries tokens.
      return state.status === "in" || state.status === "expired"
        ? { headers: { "X-CSRF-Token": state.session.csrf_token } }
        : {};
    },
  });
}
