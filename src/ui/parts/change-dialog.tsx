/** A form in a dialog, which makes a change. What is wrong is said in it; it closes when the change is made. */
import type { ReactNode } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { useChange } from "../graphql/use-change.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { showToast } from "./toast.tsx";

export interface ChangeDialogProps<Data, Variables extends AnyVariables> {
  title: string;
  /** The words of the button that makes the change. */
  action: string;
  look?: "primary" | "danger";
  /** Whether the form can be sent. */
  isReady?: boolean;
  /** The mutation. */
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  /** Types that it changes but does not answer with. */
  types?: readonly string[];
  /** The fields that show what is wrong with them. */
  fields?: readonly string[];
  /** @returns a message to show, if any */
  onDone?: (data: Data) => string | void;
  onClose: () => void;
  /** The fields. @param faults what is wrong with them, by their names */
  children: (faults: Readonly<Record<string, string>>) => ReactNode;
}

/** Shown for as long as it is rendered. */
export function ChangeDialog<Data, Variables extends AnyVariables>(props: ChangeDialogProps<Data, Variables>) {
  const { title, action, look = "primary", isReady = true, change: document, variables, types = [] } = props;
  const { fields = [], onDone, onClose, children } = props;
  const { change, isBusy, fault, faults } = useChange(document, { types, fields });
  const submit = async (form: FormData): Promise<void> => {
    if (!isReady) return;
    const data = await change(variables(form));
    if (data === null) return;
    const message = onDone?.(data);
    onClose();
    if (message) showToast(message);
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form
        isInDialog
        fault={fault}
        onSubmit={(form) => void submit(form)}
        buttons={
          <>
            <Button type="submit" look={look} isBusy={isBusy} disabled={!isReady}>
              {action}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </>
        }
      >
        {children(faults)}
      </Form>
    </Dialog>
  );
}
