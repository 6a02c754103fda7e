/** How many notices the person has not read. The service says so when it changes, so that no page has to ask. */
import { useEffect, useSyncExternalStore } from "react";
import { useClient } from "urql";

import { gql } from "../graphql/graphql.ts";
import { watch } from "../graphql/requests.ts";
import { Badge } from "../parts/marks.tsx";
import { createStore } from "../parts/store.ts";

const NOTICES = gql("subscription UnreadNotices { notices { unread newest { id createdAt } } }");

/** More are not counted. */
const MOST = 100;
const state = createStore({ unread: 0, newest: "" });

export const useNews = state.use;

/** Shown once, in the shell. */
export function WatchNotices() {
  const client = useClient();
  // A browser has few connections to one service, so a tab that nobody sees has none.
  const isVisible = useIsVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    return watch(client, NOTICES, {}, ({ data }) => {
      if (!data?.notices) return;
      const { unread, newest } = data.notices;
      state.set({ unread, newest: newest === null ? "" : `${newest.id} ${newest.createdAt}` });
    });
  }, [client, isVisible]);
  return null;
}

export function UnreadBadge() {
  const { unread } = useNews();
  if (unread === 0) return null;
  const count = unread >= MOST ? `${MOST - 1}+` : String(unread);
  return (
    <Badge
      tone="warn"
      label={
        <>
          {count}
          <span className="unseen"> unread</span>
        </>
      }
    />
  );
}

function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === "visible");
}

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
