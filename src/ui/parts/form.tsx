/** Forms: fields below one another, what is wrong with the whole, and the buttons. */
import type { FormEvent, ReactNode } from "react";

import { classNames } from "./class-names.ts";

interface FormProps {
  onSubmit: (form: FormData) => void;
  /** What is wrong, if it is about no field or about several. */
  fault?: string | null;
  /** True in a dialog, which has no margins of its own. */
  isInDialog?: boolean;
  /** True if the service checks all fields, so that all faults are shown at once. Otherwise the browser checks first. */
  isCheckedByService?: boolean;
  children: ReactNode;
  /** The buttons. The first one of type `submit` is what Enter presses. */
  buttons: ReactNode;
}

export function Form({ onSubmit, fault = null, isInDialog = false, isCheckedByService, children, buttons }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form
      className={classNames("stack roomy", isInDialog && "dialog-body")}
      onSubmit={submit}
      noValidate={isCheckedByService}
    >
      {children}
      <Fault text={fault} />
      <div className="cluster">{buttons}</div>
    </form>
  );
}

/** Read out when it appears. */
export function Fault({ text }: { text: string | null }) {
  return (
    <div role="alert" className="hide-empty">
      {text && <p className="notice bad">{text}</p>}
    </div>
  );
}
