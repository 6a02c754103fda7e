/** Shows something that cannot be shown again, such as a new key. Only its button closes it. */
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import styles from "./once-dialog.module.css";

interface OnceDialogProps {
  title: string;
  /** The words of the button that closes it. */
  done: string;
  onClose: () => void;
  children: ReactNode;
}

export function OnceDialog({ title, done, onClose, children }: OnceDialogProps) {
  return (
    <Dialog title={title} isOpen mayClose={false} onClose={onClose} className={styles["wide"]}>
      <div className="stack dialog-body">
        {children}
        <div>
          <Button label={done} look="primary" onClick={onClose} autoFocus />
        </div>
      </div>
    </Dialog>
  );
}
