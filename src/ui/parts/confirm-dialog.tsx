/** Asks before something that cannot be undone. What is worst is typed, so that nobody does it by a slip. */
import { type ReactNode, useState } from "react";

import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

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
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        isInDialog
        fault={fault}
        onSubmit={() => {
          if (isMeant) onConfirm();
        }}
        buttons={
          <>
            <Button type="submit" look="danger" isBusy={isBusy} disabled={!isMeant}>
              {action}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </>
        }
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
      </Form>
    </Dialog>
  );
}
