/** Texts to copy. */
import { type ReactNode, useState } from "react";

import { Button } from "./button.tsx";
import styles from "./copy.module.css";
import { showToast } from "./toast.tsx";

/**
 * Copies a text, and says so.
 * @param what what is copied, such as `The SQL`
 */
export async function copyText(text: string, what: string): Promise<void> {
  if (await copy(text)) showToast(`${what} is copied.`);
}

/**
 * Browsers have a clipboard for pages over https and on this machine; others can copy what is selected.
 * @param near an element of the open dialog, if there is one: outside of it nothing can be selected
 * @returns whether it is copied; if it is not, a message says so
 */
async function copy(text: string, near?: Element): Promise<boolean> {
  if (isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted; the other way may be.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  // Set by a property, which the page's policy permits.
  field.style.position = "fixed";
  field.style.opacity = "0";
  if (near === undefined) document.body.append(field);
  else near.after(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) showToast("The browser does not permit copying. Select the text and copy it.", "bad");
  return isDone;
}

/** @param text what is copied @param label what it is, for screen readers */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : "Copy"}
      aria-label={`Copy ${label}`}
      onClick={({ currentTarget }) => void copy(text, currentTarget).then(setCopied)}
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
    <div className={`card sunken relative shrink ${styles["snippet"]}`}>
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
      <code className="card sunken line wrap">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
