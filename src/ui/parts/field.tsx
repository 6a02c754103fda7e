/** Text fields with a label, a hint and an error that screen readers connect with them. */
import { type ComponentProps, type ReactNode, useId } from "react";

import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: ReactNode;
  error?: string | null;
}

export function TextField({ label, hint, error = null, className, ...rest }: FieldProps) {
  const id = useId();
  const told = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={classNames(styles["field"], className)}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={told || undefined}
        {...rest}
        className={styles["input"]}
      />
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
