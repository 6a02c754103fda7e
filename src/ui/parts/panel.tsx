/** What a page shows instead of content: that it is loading, nothing found, an error, no permission. */
import type { ReactNode } from "react";
import type { CombinedError } from "urql";

import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./panel.module.css";

interface PanelProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
  /** True if the page has nothing else, so that the title is the page's. */
  isPage?: boolean;
}

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

function codeOf(error: CombinedError): unknown {
  return error.graphQLErrors[0]?.extensions["code"];
}
