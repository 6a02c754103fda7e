/** Forms: fields below one another, what is wrong with the whole, and the buttons. */
import type { FormEvent, ReactNode } from "react";

import { classNames } from "./class-names.ts";
import styles from "./form.module.css";

interface FormProps {
  onSubmit: (form: FormData) => void;
  /** What is wrong, if it is about no field or about several. */
  fault?: string | null;
  /** True in a dialog, which has no margins of its own. */
  isInDialog?: boolean;
  children: ReactNode;
  /** The buttons. The first one of type `submit` is what Enter presses. */
  buttons: ReactNode;
}

export function Form({ onSubmit, fault = null, isInDialog = false, children, buttons }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className={classNames(styles["form"], isInDialog && styles["dialog"])} onSubmit={submit}>
      {children}
      <Fault text={fault} />
      <div className={styles["buttons"]}>{buttons}</div>
    </form>
  );
}

/** Read out when it appears. */
export function Fault({ text }: { text: string | null }) {
  return (
    <div role="alert" className={styles["alert"]}>
      {text && <p className={styles["fault"]}>{text}</p>}
    </div>
  );
}
