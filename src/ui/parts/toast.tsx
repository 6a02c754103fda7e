/** Short messages at the lower edge, which screen readers read out. */
import { IconButton } from "./button.tsx";
import { Icon } from "./marks.tsx";
import { createStore } from "./store.ts";
import styles from "./toast.module.css";

interface Toast {
  id: number;
  text: string;
  tone: "good" | "bad";
}

const SHOWN_MS = 6_000;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Bad news stays until it is dismissed. */
export function showToast(text: string, tone: Toast["tone"] = "good"): void {
  const id = (lastId += 1);
  toasts.set([...toasts.get(), { id, text, tone }]);
  if (tone === "good") setTimeout(() => dismiss(id), SHOWN_MS);
}

export function Toasts() {
  const shown = toasts.use();
  return (
    <div className={`stack snug ${styles["toasts"]}`} role="status" aria-label="Messages">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={`popup row ${styles["toast"]}`} data-tone={tone}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          {text}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
