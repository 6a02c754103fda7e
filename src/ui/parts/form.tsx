/** Forms: fields below one another, what is wrong with the whole, and the buttons. */
import { createContext, type FormEvent, type ReactNode, useContext, useState } from "react";

import { classNames } from "./class-names.ts";

/** What is wrong with fields, by their names. */
export type Faults = Readonly<Record<string, string>>;

const NO_FAULTS: Faults = {};
const FaultsContext = createContext(NO_FAULTS);

/** What is wrong with a field of the form around it. */
export function useFault(name: string | undefined): string | undefined {
  const faults = useContext(FaultsContext);
  return name === undefined ? undefined : faults[name];
}

interface FormProps {
  /** @param form with the name and value of the button that was pressed */
  onSubmit: (form: FormData) => void;
  onEdit?: (form: FormData) => void;
  /** What is wrong. It is not said if a field of the form says it. */
  fault?: string | null;
  /** Said in its place then. */
  marked?: string | null;
  /** Shown at the fields with these names. */
  faults?: Faults;
  /** True in a dialog, which has no margins of its own. */
  isInDialog?: boolean;
  /** True if the service checks all fields, so that all faults are shown at once. Otherwise the browser checks first. */
  isCheckedByService?: boolean;
  children: ReactNode;
  /** The buttons. The first one of type `submit` is what Enter presses. */
  buttons: ReactNode;
}

export function Form(props: FormProps) {
  const { onSubmit, onEdit, fault = null, marked = null, faults = NO_FAULTS, isInDialog = false } = props;
  /** The names of its fields when it was last sent. */
  const [fields, setFields] = useState<readonly string[]>([]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setFields(Array.from(event.currentTarget.elements, (field) => field.getAttribute("name") ?? ""));
    const { nativeEvent } = event;
    onSubmit(new FormData(event.currentTarget, nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null));
  };
  return (
    <form
      className={classNames("stack roomy", isInDialog && "dialog-body")}
      onSubmit={submit}
      onChange={(event) => onEdit?.(new FormData(event.currentTarget))}
      noValidate={props.isCheckedByService}
    >
      <FaultsContext value={faults}>{props.children}</FaultsContext>
      <Fault text={fields.some((name) => Object.hasOwn(faults, name)) ? marked : fault} />
      <div className="cluster">{props.buttons}</div>
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
