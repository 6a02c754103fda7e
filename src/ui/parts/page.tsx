/** Pages: the title, the buttons, the sections, and what is shown instead of content that is not there. */
import { createContext, Fragment, type ReactNode, useContext, useEffect } from "react";
import { Link } from "wouter";
import type { CombinedError } from "urql";

import { formatCount } from "./count.ts";
import { Icon, type IconName } from "./marks.tsx";
import styles from "./page.module.css";
import { Button } from "./button.tsx";

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
  actions?: ReactNode;
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
  count?: number | undefined;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

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

interface PanelProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** True if the page has nothing else, so that the title is the page's. */
  isPage?: boolean;
}

/** What a page shows instead of content: that it is loading, nothing found, an error, no permission. */
export function Panel({ icon, title, children, action, isPage = false }: PanelProps) {
  const Title = isPage ? "h1" : "h2";
  return (
    <section className={`stack snug center soft ${styles["panel"]}`}>
      <Icon name={icon} size={22} />
      <Title className="large ink">{title}</Title>
      {children && <div className={styles["text"]}>{children}</div>}
      {action}
    </section>
  );
}

interface ErrorPanelProps {
  error: CombinedError;
  /** What was not done. */
  title?: string;
  /** Offered unless the service refused what was sent, since it would again. */
  onRetry?: () => void;
  isPage?: boolean;
}

/** An error of a query, in words for people. Errors that say what to do are shown as the service wrote them. */
export function ErrorPanel({ error, title = "This could not be loaded", onRetry, isPage = false }: ErrorPanelProps) {
  if (codeOf(error) === "FORBIDDEN") return <NoPermission needs={error.graphQLErrors[0]?.message} isPage={isPage} />;
  const isOffline = error.networkError !== undefined && error.response === undefined;
  return (
    <div role="alert">
      <Panel
        icon="warning"
        isPage={isPage}
        title={isOffline ? "The service cannot be reached" : title}
        action={onRetry && codeOf(error) !== "BAD_REQUEST" && <Button label="Try again" onClick={onRetry} />}
      >
        {isOffline ? "Check your connection. Nothing is lost." : describeError(error)}
      </Panel>
    </div>
  );
}

interface NoPermissionProps {
  /** Who may see it. */
  needs?: ReactNode;
  isPage?: boolean;
}

export function NoPermission({ needs, isPage = false }: NoPermissionProps) {
  return (
    <Panel icon="lock" isPage={isPage} title="You may not see this">
      {needs ?? "Ask an admin of this workspace."}
    </Panel>
  );
}

/** Grey bars in the shape of what is being loaded. @param rows how many */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div className={`stack ${styles["skeleton"]}`} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars are all the same
        <div key={row} className={styles["bar"]} />
      ))}
    </div>
  );
}

/** Refusals that come before GraphQL is reached. */
const STATUSES: ReadonlyMap<unknown, string> = new Map([
  [401, "Your session has ended."],
  [403, "You may not use the service from here. Ask an admin of this workspace."],
  [429, "Too many requests in a short time. Wait a moment, then try again."],
  [503, "The service has too much to do at the moment. Try again soon."],
]);

/** The service's own words, without the client's prefixes. */
export function describeError(error: CombinedError): string {
  if (error.graphQLErrors.length > 0) return error.graphQLErrors.map(({ message }) => message).join(" ");
  const status: unknown = error.response?.status;
  if (status === undefined) return "The service cannot be reached.";
  return STATUSES.get(status) ?? `The service did not answer as it should (status ${String(status)}).`;
}

/** Such as `CONFLICT`. */
export function codeOf(error: CombinedError): unknown {
  return error.graphQLErrors[0]?.extensions["code"];
}
