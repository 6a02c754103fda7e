/** Forms that make a change: in a dialog, or as a section of a page. What is wrong is said in them. */
import type { ReactNode } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { type ChangeOptions, useChange } from "../graphql/use-change.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { Section } from "./page.tsx";

interface ChangeFormProps<Data, Variables extends AnyVariables> extends ChangeOptions<Data> {
  /** The words of the button that makes the change. */
  action: string;
  look?: "plain" | "primary" | "danger";
  /** Whether the form can be sent. */
  isReady?: boolean;
  /** The mutation. */
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  /** Closes the dialog that it is in. */
  onClose?: () => void;
  /** The fields. */
  children: ReactNode;
}

function ChangeForm<Data, Variables extends AnyVariables>(props: ChangeFormProps<Data, Variables>) {
  const { action, look = "plain", isReady = true, variables, onClose, children, ...options } = props;
  const { change, isBusy, fault, faults } = useChange(props.change, options);
  return (
    <Form
      isInDialog={onClose !== undefined}
      fault={fault}
      faults={faults}
      onSubmit={(form) => isReady && void change(variables(form))}
      buttons={
        <>
          <Button label={action} type="submit" look={look} isBusy={isBusy} disabled={!isReady} />
          {onClose && <Button label="Cancel" onClick={onClose} />}
        </>
      }
    >
      {children}
    </Form>
  );
}

export interface ChangeDialogProps<Data, Variables extends AnyVariables> extends ChangeFormProps<Data, Variables> {
  title: string;
  onClose: () => void;
}

/** Shown for as long as it is rendered. It closes when the change is made. */
export function ChangeDialog<Data, Variables extends AnyVariables>(props: ChangeDialogProps<Data, Variables>) {
  const { title, onDone, onClose, ...form } = props;
  const close = (data: Data) => {
    const message = onDone?.(data);
    onClose();
    return message;
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ChangeForm look="primary" {...form} onClose={onClose} onDone={close} />
    </Dialog>
  );
}

interface ChangeSectionProps<Data, Variables extends AnyVariables> extends ChangeFormProps<Data, Variables> {
  title: string;
  lead: string;
}

/** Saves only what is in it. */
export function ChangeSection<Data, Variables extends AnyVariables>(props: ChangeSectionProps<Data, Variables>) {
  const { title, lead, ...form } = props;
  return (
    <Section title={title} lead={lead}>
      <ChangeForm {...form} />
    </Section>
  );
}
