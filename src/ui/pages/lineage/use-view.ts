import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";

import { readView, writeView } from "./model/url-state.ts";
import type { View } from "./model/view.ts";

export type ChangeView = (change: (view: View) => View) => void;

/** The view that the URL describes. What changes it replaces the address, so that "back" leaves the page. */
export function useView(root: string): [View, ChangeView] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  const view = useMemo(() => readView(root, new URLSearchParams(text)), [root, text]);
  const change = useCallback<ChangeView>(
    (next) => setParameters((before) => writeView(next(readView(root, before))), { replace: true }),
    [root, setParameters],
  );
  return [view, change];
}

/** The part of the view that decides the picture. It stays the same object when only something else changes. */
export function useShown(view: View): View {
  const { root } = view;
  const text = writeView({ ...view, selected: null, column: null, form: "canvas" }).toString();
  return useMemo(() => readView(root, new URLSearchParams(text)), [root, text]);
}
