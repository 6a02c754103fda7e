/** Whether the overview is shown. The browser remembers it for all lineages. */
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
