/** Fields with a label, a hint, and what is wrong with them, which screen readers connect with them. */
import { type ComponentProps, type ReactNode, useId } from "react";

import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

interface FrameProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** A remark. The form can be sent all the same. */
  warning?: string | null | undefined;
  className?: string | undefined;
}

/** The label above a field, and the texts below it. */
function Frame({
  id,
  label,
  hint,
  error,
  warning,
  className,
  children,
}: FrameProps & { id: string; children: ReactNode }) {
  return (
    <div className={classNames("stack tight", className)}>
      <label htmlFor={id} className="label">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} className="warn small">
          {warning}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="bad small">
          {error}
        </p>
      )}
    </div>
  );
}

function describeField(id: string, { hint, error, warning }: Pick<FrameProps, "hint" | "error" | "warning">) {
  const ids = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": ids || undefined };
}

type TextFieldProps = FrameProps & Omit<ComponentProps<"input">, "className">;

export function TextField({ label, hint, error, warning, className, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, warning, className }}>
      <input {...describeField(id, { hint, error, warning })} {...rest} className="input" />
    </Frame>
  );
}

type TextAreaFieldProps = FrameProps & Omit<ComponentProps<"textarea">, "className">;

export function TextAreaField({ label, hint, error, warning, className, ...rest }: TextAreaFieldProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, warning, className }}>
      <textarea {...describeField(id, { hint, error, warning })} {...rest} className={`input ${styles["area"]}`} />
    </Frame>
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

export function SelectField({ label, hint, error, warning, className, choices, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, warning, className }}>
      <select {...describeField(id, { hint, error, warning })} {...rest} className={`input ${styles["select"]}`}>
        {choices.map(({ value, label: text, isDisabled = false }) => (
          <option key={value} value={value} disabled={isDisabled}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
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

/** Fields that belong together. */
export function FieldGroup({ label, error, children }: { label: string; error?: string | null; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset className={`stack snug ${styles["group"]}`} aria-describedby={error ? id : undefined}>
      <legend className="label">{label}</legend>
      {children}
      {error && (
        <p id={id} className="bad small">
          {error}
        </p>
      )}
    </fieldset>
  );
}
