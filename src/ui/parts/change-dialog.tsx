/** A form in a dialog, which makes a change. What is wrong is said in it; it closes when the change is made. */
import type { ReactNode } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { type ChangeOptions, useChange } from "../graphql/use-change.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

export interface ChangeDialogProps<Data, Variables extends AnyVariables> extends ChangeOptions<Data> {
  title: string;
  /** The words of the button that makes the change. */
  action: string;
  look?: "primary" | "danger";
  /** Whether the form can be sent. */
  isReady?: boolean;
  /** The mutation. */
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** Shown for as long as it is rendered. */
export function ChangeDialog<Data, Variables extends AnyVariables>(props: ChangeDialogProps<Data, Variables>) {
  const { title, action, look = "primary", isReady = true, variables, types = [], onDone, onClose, children } = props;
  const { change, isBusy, fault, faults } = useChange(props.change, {
    types,
    onDone(data) {
      const message = onDone?.(data);
      onClose();
      return message;
    },
  });
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        isInDialog
        fault={fault}
        faults={faults}
        onSubmit={(form) => isReady && void change(variables(form))}
        buttons={
          <>
            <Button label={action} type="submit" look={look} isBusy={isBusy} disabled={!isReady} />
            <Button label="Cancel" onClick={onClose} />
          </>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
