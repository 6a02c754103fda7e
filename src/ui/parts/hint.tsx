/** Explains something that is shown, when it is pointed at or focused. What it says is never needed to go on. */
import * as Tooltip from "@radix-ui/react-tooltip";
import type { ReactNode } from "react";

import styles from "./hint.module.css";

const DELAY_MS = 250;

/** Around everything that has hints: after the first one, the next comes at once. */
export function HintProvider({ children }: { children: ReactNode }) {
  return <Tooltip.Provider delayDuration={DELAY_MS}>{children}</Tooltip.Provider>;
}

/** @param text nothing is explained if there is none */
export function Hint({ text, children }: { text: string | null | undefined; children: ReactNode }) {
  if (!text) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className={styles["trigger"]}>{children}</Tooltip.Trigger>
      <Tooltip.Content className={styles["hint"]} sideOffset={4} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Root>
  );
}
