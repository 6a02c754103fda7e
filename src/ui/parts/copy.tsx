/** Texts to copy. */
import { type ReactNode, useState } from "react";

import { Button } from "./button.tsx";
import { tryCopy } from "./copy-text.ts";
import styles from "./copy.module.css";
import { showToast } from "./toast.tsx";

/** @param text what is copied @param label what it is, for screen readers */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (near: Element): Promise<void> => {
    if (await tryCopy(text, near)) setCopied(true);
    else showToast("The browser does not permit copying. Select the text and copy it.", "bad");
  };
  return (
    <Button
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : "Copy"}
      aria-label={`Copy ${label}`}
      onClick={(event) => void copy(event.currentTarget)}
      onBlur={() => setCopied(false)}
    />
  );
}

interface SnippetProps {
  label: string;
  text: string;
  /** The text as it is shown, if there is more in it than the text. */
  children?: ReactNode;
}

/** Code or a command, with a button that copies all of it. */
export function Snippet({ label, text, children = text }: SnippetProps) {
  return (
    <div className={`card shrink ${styles["snippet"]}`}>
      {/* The keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {children}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** A text that is shown only once. */
export function Secret({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles["secret"]} role="group" aria-label={label}>
      <p className="label">{label}</p>
      <code className="card line wrap">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
