/** Settings › Your account: one's password, and the browsers in which one is logged in. */
import { useQuery } from "urql";

import { useSession } from "../../../app/session/use-session.ts";
import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Fault } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { ErrorPanel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { Time } from "../../../parts/time.tsx";
import { SettingsPage } from "../settings-page.tsx";
import styles from "./account.module.css";
import { describeBrowser } from "./describe-browser.ts";
import { END_SESSION, ME, MY_SESSIONS, type MySession } from "./documents.ts";
import { PasswordForm } from "./password-form.tsx";

export function AccountPage() {
  const { user } = useSession();
  const [{ data }] = useQuery({ query: ME });
  const { hasPassword, sso } = data?.me ?? {};
  return (
    <SettingsPage title="Your account" lead={`${user.name === "" ? "" : `${user.name}, `}${user.email}, ${user.role}`}>
      {hasPassword === true && <PasswordForm email={user.email} />}
      {hasPassword === false && (
        <Section
          title="Password"
          lead={
            sso === true
              ? "You log in by single sign-on, and have no password here."
              : "You have no password. An admin can make a link by which you set one."
          }
        >
          {null}
        </Section>
      )}
      <Section title="Where you are logged in" lead="End what you do not recognise, and change your password then.">
        <Sessions />
      </Section>
    </SettingsPage>
  );
}

function Sessions() {
  const [{ data, error }, again] = useQuery({ query: MY_SESSIONS, requestPolicy: "cache-and-network" });
  const sessions = data?.mySessions;
  if (!sessions) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={3} label="Loading the sessions" />;
  }
  return (
    <ul className={styles["sessions"]} aria-label="Sessions">
      {sessions.map((session) => (
        <SessionLine key={session.id} session={session} />
      ))}
    </ul>
  );
}

function SessionLine({ session }: { session: MySession }) {
  const { change, isBusy, fault } = useChange(END_SESSION, ["Session"]);
  const { id, current, createdAt, lastSeenAt, source, sso, userAgent } = session;
  return (
    <li className={styles["session"]}>
      <div>
        <p className={styles["browser"]} title={userAgent}>
          {describeBrowser(userAgent)} {current && <Badge tone="good">this one</Badge>}
        </p>
        <p className={styles["soft"]}>
          from {source}, logged in <Time at={createdAt} />
          {sso && " by single sign-on"}, last used <Time at={lastSeenAt} />
        </p>
        <Fault text={fault} />
      </div>
      {!current && (
        <Button isBusy={isBusy} onClick={() => void change({ input: { id } })}>
          Log it out
        </Button>
      )}
    </li>
  );
}
