/** Whether the overview is shown. The browser remembers it, since it is a matter of taste and not of what is looked at. */
import { useState } from "react";

const KEY = "tributary.lineage-overview";
const OFF = "off";

export function useOverview(): [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(() => localStorage.getItem(KEY) !== OFF);
  return [
    isShown,
    () => {
      if (isShown) localStorage.setItem(KEY, OFF);
      else localStorage.removeItem(KEY);
      setShown(!isShown);
    },
  ];
}
