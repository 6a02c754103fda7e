/** The frame of a page: its title, what can be done there, and its content, beside which there may be a column. */
import type { ReactNode } from "react";

import styles from "./page.module.css";

interface PageProps {
  title: ReactNode;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** Where it is, above the title. */
  above?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, above, actions, children }: PageProps) {
  return (
    <article className={styles["page"]}>
      <header className={styles["header"]}>
        <div className={styles["titles"]}>
          {above}
          <div className={styles["title"]}>{typeof title === "string" ? <h1>{title}</h1> : title}</div>
          {lead && <p className={styles["lead"]}>{lead}</p>}
        </div>
        {actions && <div className={styles["actions"]}>{actions}</div>}
      </header>
      {children}
    </article>
  );
}

/** Content, and what is less important beside it; below it in narrow windows. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={styles["columns"]}>
      <div className={styles["main"]}>{children}</div>
      <aside className={styles["aside"]}>{aside}</aside>
    </div>
  );
}

/** A part of a page with a small heading. */
export function Section({
  title,
  count,
  children,
}: {
  title: string;
  count?: number | undefined;
  children: ReactNode;
}) {
  return (
    <section className={styles["section"]} aria-label={title}>
      <h2>
        {title} {count !== undefined && <span className={styles["count"]}>{count.toLocaleString("en-US")}</span>}
      </h2>
      {children}
    </section>
  );
}
