import { useEffect, useEffectEvent } from "react";

/** Elements in which keys are text. */
const TEXT = "input, textarea, select, [contenteditable]";

/**
 * Calls back when a key is pressed anywhere on the page.
 * @param key `/` or another single key, which counts only outside of text fields; or `mod+k`, with Ctrl or Cmd
 */
export function useHotkey(key: string, onPress: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const [last = "", modifier] = key.split("+").toReversed();
    if (event.key.toLowerCase() !== last || event.altKey || event.defaultPrevented) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (modifier === undefined) {
      const isTyping = event.target instanceof Element && event.target.closest(TEXT) !== null;
      if (hasModifier || isTyping) return;
    } else if (!hasModifier) return;
    event.preventDefault();
    onPress();
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
