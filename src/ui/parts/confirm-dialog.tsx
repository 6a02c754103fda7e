/** Asks before something that cannot be undone. What is worst is typed, so that nobody does it by a slip. */
import { type ReactNode, useState } from "react";

import { TextField } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** The words of the button that does it. */
  action: string;
  /** A text that must be typed first, such as the name of what is removed. */
  typed?: string;
  isBusy: boolean;
  fault: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shown for as long as it is rendered. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typed, isBusy, fault, onConfirm, onClose } = props;
  const [text, setText] = useState("");
  const isMeant = typed === undefined || text.trim() === typed;
  return (
    <FormDialog
      title={title}
      action={action}
      look="danger"
      isReady={isMeant}
      isBusy={isBusy}
      fault={fault}
      onSubmit={() => {
        if (isMeant) onConfirm();
      }}
      onClose={onClose}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type ${typed} to confirm`}
          value={text}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
