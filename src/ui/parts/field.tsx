/** Fields with a label, a hint and an error that screen readers connect with them. */
import { type ComponentProps, type ReactNode, useId } from "react";

import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string | undefined;
}

interface FrameProps extends FieldProps {
  children: (attributes: {
    id: string;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

function Frame({ label, hint, error = null, className, children }: FrameProps) {
  const id = useId();
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={classNames(styles["field"], className)}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": error === null ? undefined : true, "aria-describedby": told || undefined })}
      {hint && (
        <p id={`${id}-hint`} className={styles["hint"]}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles["error"]}>
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, hint, error, className, ...rest }: FieldProps & ComponentProps<"input">) {
  return (
    <Frame {...{ label, hint, error, className }}>
      {(attributes) => <input {...attributes} {...rest} className={styles["input"]} />}
    </Frame>
  );
}

export function TextArea({ label, hint, error, className, ...rest }: FieldProps & ComponentProps<"textarea">) {
  return (
    <Frame {...{ label, hint, error, className }}>
      {(attributes) => <textarea rows={4} {...attributes} {...rest} className={styles["area"]} />}
    </Frame>
  );
}

interface SelectProps<T extends string> extends FieldProps {
  value: T;
  options: readonly { value: T; label: string }[];
  onChoose: (value: T) => void;
}

export function SelectField<T extends string>(props: SelectProps<T>) {
  const { label, hint, error, className, value, options, onChoose } = props;
  return (
    <Frame {...{ label, hint, error, className }}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          className={styles["input"]}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen !== undefined) onChoose(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}
