/**
 * Modal dialogs on the browser's own element: it keeps the focus inside, closes by Escape, and gives the focus back to
 * where it was.
 */
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";

import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import styles from "./dialog.module.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  /** If false, Escape and a click outside do not close it, and it has no button for that. */
  mayClose?: boolean;
  /** Shown to screen readers only. */
  hidesTitle?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Shown for as long as it is rendered. It must be unmounted to be closed: only then does the browser close it before it is
 * gone, and give the focus back.
 */
export function Dialog({ title, onClose, mayClose = true, hidesTitle, className, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    dialog.showModal();
    // A field takes the focus when it is made, which it can only do in an open dialog.
    setIsShown(true);
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      className={classNames("popup", styles["dialog"], className)}
      onCancel={(event) => {
        event.preventDefault();
        if (mayClose) onClose();
      }}
      closedby={mayClose ? "any" : "none"}
    >
      <header className={hidesTitle ? "unseen" : `row spread ${styles["header"]}`}>
        <h2 id={id}>{title}</h2>
        {mayClose && !hidesTitle && <IconButton icon="close" label="Close" onClick={onClose} />}
      </header>
      {isShown && children}
    </dialog>
  );
}

interface OnceDialogProps {
  title: string;
  /** The words of the button that closes it. */
  done: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows something that cannot be shown again, such as a new key. Only its button closes it. */
export function OnceDialog({ title, done, onClose, children }: OnceDialogProps) {
  return (
    <Dialog title={title} mayClose={false} onClose={onClose} className={styles["wide"]}>
      <div className="stack dialog-body">
        {children}
        <div>
          <Button label={done} look="primary" onClick={onClose} autoFocus />
        </div>
      </div>
    </Dialog>
  );
}
