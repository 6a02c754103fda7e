/** The frame of a page: its place, its title, what can be done on it, and its content. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { Icon } from "./icon.tsx";
import styles from "./page.module.css";

interface PageProps {
  /** A text, or a heading with more in it. */
  title: ReactNode;
  /** Beside the title, such as badges. */
  beside?: ReactNode;
  /** A sentence or more below the title. */
  lead?: ReactNode;
  /** The buttons of the page. */
  actions?: ReactNode;
  /** Where it is, above the title. */
  above?: ReactNode;
  children: ReactNode;
}

export function Page({ title, beside, lead, actions, above, children }: PageProps) {
  return (
    <div className={styles["page"]}>
      <header className={styles["header"]}>
        <div className={styles["words"]}>
          {above}
          <div className={styles["title"]}>
            {typeof title === "string" ? <h1>{title}</h1> : title}
            {beside}
          </div>
          {lead && <div className={styles["lead"]}>{lead}</div>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A link to the page above. */
export function Above({ href, label }: { href: string; label: string }) {
  return (
    <nav className={styles["above"]} aria-label="Where it is">
      <Link href={href}>{label}</Link>
      <Icon name="right" size={12} />
    </nav>
  );
}

/** Content, and what is less important beside it; below it in narrow windows. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={styles["columns"]}>
      <div className={styles["main"]}>{children}</div>
      <aside className={styles["aside"]} aria-label="Beside it">
        {aside}
      </aside>
    </div>
  );
}

interface SectionProps {
  title: string;
  /** How many things are in it. */
  count?: number | undefined;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, count, lead, actions, children }: SectionProps) {
  return (
    <section className={styles["section"]} aria-label={title}>
      <div className={styles["header"]}>
        <div className={styles["words"]}>
          <h2>
            {title} {count !== undefined && <span className={styles["count"]}>{count.toLocaleString("en-US")}</span>}
          </h2>
          {lead && <p className={styles["lead"]}>{lead}</p>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
