/** Forms and their fields. A label, a hint, and what is wrong are connected with the field for screen readers. */
import { createContext, type FormEvent, type ReactNode, useContext, useState, type ComponentProps, useId } from "react";

import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

/** What is wrong with fields, by their names. */
export type Faults = Readonly<Record<string, string>>;

const NO_FAULTS: Faults = {};
const FaultsContext = createContext(NO_FAULTS);

function useFault(name: string | undefined): string | undefined {
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

interface FrameProps {
  label: string;
  hint?: ReactNode;
  /** A remark. The form can be sent all the same. */
  warning?: string | null | undefined;
  className?: string | undefined;
}

/** What a field says of itself to screen readers. */
interface FieldAttributes {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps extends FrameProps {
  name: string | undefined;
  children: (attributes: FieldAttributes) => ReactNode;
}

/** The label above a field, and the texts below it. */
function Field({ label, hint, warning, className, name, children }: FieldProps) {
  const id = useId();
  const fault = useFault(name);
  const texts = [
    { key: "hint", text: hint, look: "hint" },
    { key: "warning", text: warning, look: "warn small" },
    { key: "error", text: fault, look: "bad small" },
  ].filter(({ text }) => text);
  return (
    <div className={classNames("stack tight", className)}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      {children({
        id,
        "aria-invalid": fault ? true : undefined,
        "aria-describedby": texts.map(({ key }) => `${id}-${key}`).join(" ") || undefined,
      })}
      {texts.map(({ key, text, look }) => (
        <p key={key} id={`${id}-${key}`} className={look}>
          {text}
        </p>
      ))}
    </div>
  );
}

type TextFieldProps = FrameProps & Omit<ComponentProps<"input">, "className">;

export function TextField({ label, hint, warning, className, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, hint, warning, className, name: rest.name }}>
      {(attributes) => <input {...attributes} {...rest} className="input" />}
    </Field>
  );
}

interface SearchInputProps {
  label: string;
  placeholder: string;
  text: string;
  onType: (text: string) => void;
  className?: string | undefined;
}

/** Filters what is below it. */
export function SearchInput({ label, text, onType, className, ...rest }: SearchInputProps) {
  return (
    <input
      {...rest}
      type="search"
      className={classNames("input", className)}
      aria-label={label}
      value={text}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

type TextAreaFieldProps = FrameProps & Omit<ComponentProps<"textarea">, "className">;

export function TextAreaField({ label, hint, warning, className, ...rest }: TextAreaFieldProps) {
  return (
    <Field {...{ label, hint, warning, className, name: rest.name }}>
      {(attributes) => <textarea {...attributes} {...rest} className={`input ${styles["area"]}`} />}
    </Field>
  );
}

interface SelectChoice {
  value: string;
  label: string;
  isDisabled?: boolean;
}

interface SelectFieldProps extends FrameProps, Omit<ComponentProps<"select">, "className" | "children"> {
  choices: readonly SelectChoice[];
}

export function SelectField({ label, hint, warning, className, choices, ...rest }: SelectFieldProps) {
  return (
    <Field {...{ label, hint, warning, className, name: rest.name }}>
      {(attributes) => (
        <select {...attributes} {...rest} className={`input ${styles["select"]}`}>
          {choices.map(({ value, label: text, isDisabled = false }) => (
            <option key={value} value={value} disabled={isDisabled}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckFieldProps extends Omit<ComponentProps<"input">, "type" | "className"> {
  label: string;
  hint?: ReactNode;
}

export function CheckField({ label, hint, ...rest }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={`beside-icon ${styles["check"]}`}>
      <input id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={`hint ${styles["hint"]}`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldGroupProps {
  label: string;
  name?: string;
  /** What is wrong with it, if the form around it does not know. */
  error?: string | null;
  children: ReactNode;
}

export function FieldGroup({ label, name, error = null, children }: FieldGroupProps) {
  const id = useId();
  const fault = useFault(name) ?? error;
  return (
    <fieldset name={name} className={`stack snug ${styles["group"]}`} aria-describedby={fault ? id : undefined}>
      <legend className="label">{label}</legend>
      {children}
      {fault && (
        <p id={id} className="bad small">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
