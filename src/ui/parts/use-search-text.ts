import { useEffect, useState } from "react";

/** The events of going back or forth, and of following a link. The last one is the router's. */
const STEPS = ["popstate", "pushState"];

const readUrl = (): string => new URLSearchParams(location.search).get("q") ?? "";

/** The text of the search field. It is ahead of the URL while somebody types, and follows it at every step elsewhere. */
export function useSearchText(): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(readUrl);
  useEffect(() => {
    const follow = (): void => setText(readUrl());
    for (const step of STEPS) addEventListener(step, follow);
    return () => {
      for (const step of STEPS) removeEventListener(step, follow);
    };
  }, []);
  return [text, setText];
}
