/** Forms that make a change: in a dialog, as a section of a page, or as a question. What is wrong is said in them. */
import { type ReactNode, useState } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { type ChangeOptions, useChange } from "../graphql/requests.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField, Form } from "./form.tsx";
import type { IconName } from "./marks.tsx";
import { Section } from "./page.tsx";

interface ChangeFormProps<Data, Variables extends AnyVariables> extends ChangeOptions<Data> {
  /** The words of the button that makes the change. */
  action: string;
  look?: "plain" | "primary" | "danger";
  /** Whether the form can be sent. */
  isReady?: boolean;
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  /** Closes the dialog that it is in. */
  onClose?: () => void;
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

interface ChangeDialogProps<Data, Variables extends AnyVariables> extends ChangeFormProps<Data, Variables> {
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
    <Dialog title={title} onClose={onClose}>
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

interface ConfirmChangeProps<Data, Variables extends AnyVariables> extends Omit<
  ChangeDialogProps<Data, Variables>,
  "variables" | "look" | "isReady" | "children"
> {
  variables: Variables;
  /** A text that must be typed first, such as the name of what is removed, so that nobody does it by a slip. */
  typed?: string;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before a change, and makes it. Shown for as long as it is rendered. */
export function ConfirmChange<Data, Variables extends AnyVariables>(props: ConfirmChangeProps<Data, Variables>) {
  const { variables, typed, children, ...rest } = props;
  const [text, setText] = useState("");
  const isReady = typed === undefined || text.trim() === typed;
  return (
    <ChangeDialog {...rest} look="danger" isReady={isReady} variables={() => variables}>
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
    </ChangeDialog>
  );
}

interface ConfirmButtonProps<Data, Variables extends AnyVariables> extends Omit<
  ConfirmChangeProps<Data, Variables>,
  "onClose"
> {
  label: string;
  /** The same for screen readers, where several have these words. */
  fullLabel?: string;
  look?: "plain" | "quiet" | "danger";
  icon?: IconName;
}

export function ConfirmButton<Data, Variables extends AnyVariables>(props: ConfirmButtonProps<Data, Variables>) {
  const { label, fullLabel, look = "danger", icon, ...rest } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        label={label}
        look={look}
        {...(icon && { icon })}
        aria-label={fullLabel}
        onClick={() => setAsking(true)}
      />
      {isAsking && <ConfirmChange {...rest} onClose={() => setAsking(false)} />}
    </>
  );
}
