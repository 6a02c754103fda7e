/** A tooltip on hover and focus. Its text is never needed to use the page. */
import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";

import styles from "./hint.module.css";

const DELAY_MS = 250;

/** Around all hints: after the first one, the next appears at once. */
export function HintProvider({ children }: { children: ReactNode }) {
  return <Tooltip.Provider delayDuration={DELAY_MS}>{children}</Tooltip.Provider>;
}

/** @param text if there is none, only the content is shown */
export function Hint({ text, children }: { text: string | null | undefined; children: ReactNode }) {
  if (!text) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className={`inline ${styles["trigger"]}`}>{children}</Tooltip.Trigger>
      <Tooltip.Content className={`popup small ${styles["hint"]}`} sideOffset={4} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Root>
  );
}
