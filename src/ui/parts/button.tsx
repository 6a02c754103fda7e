import type { ComponentProps } from "react";
import { Link } from "wouter";

import styles from "./button.module.css";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./marks.tsx";

type Look = "plain" | "primary" | "quiet" | "danger";

interface ButtonProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  look?: Look;
  icon?: IconName;
  /** True while its action runs: it cannot be pressed again. */
  isBusy?: boolean;
}

export function Button({ label, look = "plain", icon, isBusy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      {...rest}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      className={classNames("row inline medium nowrap", styles["button"], styles[look], className)}
    >
      {icon && <Icon name={icon} size={14} />}
      {label}
    </button>
  );
}

interface ButtonLinkProps {
  href: string;
  label: string;
  look?: Look;
  icon?: IconName;
}

/** A link to another page that looks like a button. */
export function ButtonLink({ href, label, look = "plain", icon }: ButtonLinkProps) {
  return (
    <Link
      href={href}
      className={classNames("row inline medium nowrap", styles["button"], styles["link"], styles[look])}
    >
      {icon && <Icon name={icon} size={14} />}
      {label}
    </Link>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  /** What it does, for screen readers and as a tooltip. */
  label: string;
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames("soft", styles["icon"], className)}
    >
      <Icon name={icon} />
    </button>
  );
}
