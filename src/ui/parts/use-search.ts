import { useEffect, useEffectEvent, useState } from "react";

import { useParameters } from "./use-parameters.ts";

/** The events of going back or forth, and of following a link. The last one is the router's. */
const STEPS = ["popstate", "pushState"];
const REST_MS = 120;

const readUrl = (): string => new URLSearchParams(location.search).get("q") ?? "";

/**
 * The text of a search field, which the URL has as `q`. While somebody types, the URL follows the text; when another page
 * of the history is shown, the text follows the URL.
 */
export function useSearch(): [text: string, setText: (text: string) => void] {
  const { parameters, setParameter } = useParameters();
  const [text, setText] = useState(readUrl);
  useEffect(() => {
    const follow = (): void => setText(readUrl());
    for (const step of STEPS) addEventListener(step, follow);
    return () => {
      for (const step of STEPS) removeEventListener(step, follow);
    };
  }, []);
  const rested = useDebounced(text.trim(), REST_MS);
  const send = useEffectEvent((search: string) => {
    // Every letter would be a step back otherwise.
    if (search !== (parameters.get("q") ?? "")) setParameter("q", search, true);
  });
  useEffect(() => send(rested), [rested]);
  return [text, setText];
}

/** The value as it was when it last rested for some milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
