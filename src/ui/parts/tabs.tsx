/** Tabs with arrow keys. Which one is open is in the URL, so that a link opens it again. */
import * as Base from "@radix-ui/react-tabs";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";

import { formatCount } from "./count.ts";
import styles from "./tabs.module.css";

export interface Tab {
  /** Its value in the URL. */
  name: string;
  label: string;
  count?: number | undefined;
  content: ReactNode;
}

/** @param tabs the first one is open if the URL names none */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const [parameters, setParameters] = useSearchParams();
  const first = tabs[0]?.name ?? "";
  const named = parameters.get("tab");
  const open = tabs.some(({ name }) => name === named) && named !== null ? named : first;
  const openTab = (name: string): void => setParameters(name === first ? {} : { tab: name }, { replace: true });
  return (
    <Base.Root value={open} onValueChange={openTab}>
      <Base.List className={`line-below ${styles["list"]}`} aria-label={label}>
        {tabs.map(({ name, label: text, count }) => (
          <Base.Trigger key={name} value={name} className={`row soft medium nowrap ${styles["tab"]}`}>
            {text}
            {count !== undefined && <span className="hint number">{formatCount(count)}</span>}
          </Base.Trigger>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        <Base.Content key={name} value={name} className={styles["content"]}>
          {content}
        </Base.Content>
      ))}
    </Base.Root>
  );
}
