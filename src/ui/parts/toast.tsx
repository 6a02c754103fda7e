/** Short messages at the lower edge, which screen readers read out. */
import { useSyncExternalStore } from "react";

import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import styles from "./toast.module.css";

interface Toast {
  id: number;
  text: string;
  tone: "good" | "bad";
}

const SHOWN_MS = 6_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

/** Bad news stays until it is dismissed. */
export function showToast(text: string, tone: Toast["tone"] = "good"): void {
  const id = (lastId += 1);
  setToasts([...toasts, { id, text, tone }]);
  if (tone === "good") setTimeout(() => dismiss(id), SHOWN_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles["toasts"]} role="status" aria-label="Messages">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={styles["toast"]} data-tone={tone}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          {text}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
