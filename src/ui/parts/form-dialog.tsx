/** A form in a dialog. */
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps {
  title: string;
  /** The words of the button that does it. */
  action: string;
  look?: "primary" | "danger";
  /** Whether it can be sent. */
  isReady?: boolean;
  isBusy: boolean;
  /** What is wrong, if it is about no field or about several. */
  fault: string | null;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Shown for as long as it is rendered. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, look = "primary", isReady = true, isBusy, fault, onSubmit, onClose, children } = props;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        isInDialog
        fault={fault}
        onSubmit={onSubmit}
        buttons={
          <>
            <Button type="submit" look={look} isBusy={isBusy} disabled={!isReady}>
              {action}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
