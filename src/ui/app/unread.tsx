/** How many notices the person has not read. The service says so when it changes, so that no page has to ask. */
import { useEffect, useSyncExternalStore } from "react";
import { useClient } from "urql";

import { gql } from "../graphql/graphql.ts";
import { Badge } from "../parts/badge.tsx";
import { createStore } from "../parts/store.ts";
import { Unseen } from "../parts/unseen.tsx";

const NOTICES = gql("subscription UnreadNotices { notices { unread newest { id createdAt } } }");

/** More are not counted. */
const MOST = 100;
/** How long nobody subscribes again after a subscription, so that a service that refuses it is not asked again and again. */
const PAUSE_MS = 5_000;

const state = createStore({ unread: 0, newest: "" });

export const useNews = state.use;

/** Shown once, in the shell. The service ends a subscription after some minutes; then it begins again. */
export function WatchNotices() {
  const client = useClient();
  // A browser has few connections to one service, so a tab that nobody sees has none.
  const isVisible = useIsVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    let stop = (): void => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void => {
      stop();
      const { unsubscribe } = client.subscription(NOTICES, {}).subscribe(({ data, hasNext }) => {
        if (data?.notices) {
          const { unread, newest } = data.notices;
          state.set({ unread, newest: newest === null ? "" : `${newest.id} ${newest.createdAt}` });
        }
        if (!hasNext) timer = setTimeout(begin, PAUSE_MS);
      });
      stop = unsubscribe;
    };
    begin();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, isVisible]);
  return null;
}

export function UnreadBadge() {
  const { unread } = useNews();
  if (unread === 0) return null;
  const count = unread >= MOST ? `${MOST - 1}+` : String(unread);
  return (
    <Badge tone="warn">
      {count}
      <Unseen> unread</Unseen>
    </Badge>
  );
}

function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === "visible");
}

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
