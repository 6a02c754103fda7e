/** Asks before a change, and makes it. */
import { type ReactNode, useState } from "react";
import type { AnyVariables } from "urql";

import { Button } from "./button.tsx";
import { type ChangeDialogProps, ChangeDialog } from "./change-form.tsx";
import { TextField } from "./field.tsx";
import type { IconName } from "./icon.tsx";

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

/** Shown for as long as it is rendered. */
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
  /** The words of the button that asks. */
  label: string;
  /** The same for screen readers, where several have these words. */
  fullLabel?: string;
  look?: "plain" | "quiet" | "danger";
  icon?: IconName;
}

/** A button that asks before it makes a change. */
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
