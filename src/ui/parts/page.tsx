/** The frame of a page: a link to the page above, the title, the buttons and the content. */
import { createContext, Fragment, type ReactNode, useContext, useEffect } from "react";
import { Link } from "wouter";

import { formatCount } from "./count.ts";
import { Icon } from "./icon.tsx";
import styles from "./page.module.css";

/** The workspace whose pages are shown. Before the login there is none, and the tab names the product. */
export const WorkspaceContext = createContext("Tributary");

/** Names the page in the browser's tab. @param title nothing is changed if there is none */
export function useTitle(title: string | undefined): void {
  const workspace = useContext(WorkspaceContext);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${workspace}`;
  }, [title, workspace]);
}

interface Crumb {
  href: string;
  label: string;
}

interface PageProps {
  /** A text, or a heading with more in it. */
  title: ReactNode;
  /** Its name in the browser's tab, if that is not the title. */
  tab?: string;
  /** Beside the title, such as badges. */
  beside?: ReactNode;
  /** A sentence or more below the title. */
  lead?: ReactNode;
  /** The buttons of the page. */
  actions?: ReactNode;
  /** The page above it. */
  above?: Crumb;
  children: ReactNode;
}

export function Page({ title, tab, beside, lead, actions, above, children }: PageProps) {
  useTitle(tab ?? (typeof title === "string" ? title : undefined));
  return (
    <div className="page stack roomy">
      <header className="cluster roomy top spread">
        <div className="stack tight shrink">
          {above && <Crumbs path={[above]} />}
          <div className="cluster">
            {typeof title === "string" ? <h1>{title}</h1> : title}
            {beside}
          </div>
          {lead && <div className={`soft underlined ${styles["lead"]}`}>{lead}</div>}
        </div>
        {actions && <div className="cluster">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Links to the pages above this one, the widest first. */
export function Crumbs({ path }: { path: readonly Crumb[] }) {
  return (
    <nav className="crumbs" aria-label="Where it is">
      {path.map(({ href, label }, index) => (
        <Fragment key={href}>
          {index > 0 && <Icon name="right" size={12} />}
          <Link href={href}>{label}</Link>
        </Fragment>
      ))}
    </nav>
  );
}

/** Content with less important content beside it, or below it in narrow windows. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="columns beside">
      <div className="stack loose shrink">{children}</div>
      <aside className="stack loose shrink" aria-label="Beside it">
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
  children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, count, lead, actions, children }: SectionProps) {
  return (
    <section className="stack section" aria-label={title}>
      <div className="cluster roomy top spread">
        <div className="stack tight shrink">
          <h2>
            {title} {count !== undefined && <span className="faint number">{formatCount(count)}</span>}
          </h2>
          {lead && <p className={`soft underlined ${styles["lead"]}`}>{lead}</p>}
        </div>
        {actions && <div className="cluster">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
