/** The frame of a page: its place, its title, what can be done on it, and its content. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { Icon } from "./icon.tsx";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  /** Beside the title, such as badges. */
  beside?: ReactNode;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** The buttons of the page. */
  actions?: ReactNode;
  /** The page above this one. */
  above?: { href: string; label: string };
  children: ReactNode;
}

export function Page({ title, beside, lead, actions, above, children }: PageProps) {
  return (
    <div className={styles["page"]}>
      <header className={styles["header"]}>
        <div className={styles["words"]}>
          {above && (
            <nav className={styles["above"]} aria-label="Where it is">
              <Link href={above.href}>{above.label}</Link>
              <Icon name="right" size={12} />
            </nav>
          )}
          <div className={styles["title"]}>
            <h1>{title}</h1>
            {beside}
          </div>
          {lead && <p className={styles["lead"]}>{lead}</p>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className={styles["section"]} aria-label={title}>
      <div className={styles["header"]}>
        <div className={styles["words"]}>
          <h2>{title}</h2>
          {lead && <p className={styles["lead"]}>{lead}</p>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
