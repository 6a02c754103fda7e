/** Settings › Your account: one's password, and the browsers in which one is logged in. */
import { useRef } from "react";
import { useQuery } from "urql";

import { changePassword, useSession, useRequest } from "../../../app/session/session.ts";
import { useChange, useFresh } from "../../../graphql/requests.ts";
import { Badge } from "../../../parts/marks.tsx";
import { Button } from "../../../parts/button.tsx";
import { TextField, Fault, Form } from "../../../parts/form.tsx";
import { Loaded } from "../../../parts/listing.tsx";
import { Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { gql, mutation, type ResultOf } from "../../../graphql/graphql.ts";

const VIEWER = gql("query AccountViewer { viewer { id user { id hasPassword sso } } }");

const MY_SESSIONS = gql(`query MySessions {
  mySessions { id current createdAt lastSeenAt source sso userAgent }
}`);

type MySession = NonNullable<ResultOf<typeof MY_SESSIONS>["mySessions"]>[number];

const END_SESSION = mutation("endSession", "id");

export function AccountPage() {
  const { user } = useSession();
  const [{ data }] = useQuery({ query: VIEWER });
  const { hasPassword, sso } = data?.viewer?.user ?? {};
  const noPassword =
    sso === true
      ? "You log in by single sign-on, and have no password here."
      : "You have no password. An admin can make a link by which you set one.";
  const asked = useFresh(MY_SESSIONS, {});
  return (
    <SettingsPage title="Your account" lead={`${user.name === "" ? "" : `${user.name}, `}${user.email}, ${user.role}`}>
      {hasPassword === true && <PasswordForm email={user.email} />}
      {hasPassword === false && <Section title="Password" lead={noPassword} />}
      <Section title="Where you are logged in" lead="End what you do not recognise, and change your password then.">
        <Loaded what="the sessions" asked={asked} rows={3}>
          {(sessions) => (
            <ul className="lines" aria-label="Sessions">
              {sessions.map((session) => (
                <SessionLine key={session.id} session={session} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
    </SettingsPage>
  );
}

function PasswordForm({ email }: { email: string }) {
  const fields = useRef<HTMLDivElement>(null);
  const { submit, isBusy, fault } = useRequest(async (form) => {
    await changePassword(String(form.get("current")), String(form.get("next")));
    fields.current?.closest("form")?.reset();
    showToast("Your password is changed. Your other sessions have ended.");
  });
  return (
    <Section title="Password" lead="Changing it logs you out everywhere but here.">
      <Form
        fault={fault}
        onSubmit={submit}
        buttons={<Button label="Change the password" type="submit" isBusy={isBusy} />}
      >
        <div ref={fields} className="stack narrow">
          {/* For password managers. */}
          <input hidden type="email" name="username" autoComplete="username" value={email} readOnly />
          <TextField label="Present password" name="current" type="password" autoComplete="current-password" required />
          <TextField
            label="New password"
            name="next"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters. Several words are easy to remember and hard to guess."
            required
          />
        </div>
      </Form>
    </Section>
  );
}

function SessionLine({ session }: { session: MySession }) {
  const { change, isBusy, fault } = useChange(END_SESSION, { types: ["Session"] });
  const { id, current, createdAt, lastSeenAt, source, sso, userAgent } = session;
  return (
    <li className="padded cluster spread">
      <div>
        <p className="medium" title={userAgent}>
          {describeBrowser(userAgent)} {current && <Badge label="this one" tone="good" />}
        </p>
        <p className="soft">
          from {source}, logged in <Time at={createdAt} />
          {sso && " by single sign-on"}, last used <Time at={lastSeenAt} />
        </p>
        <Fault text={fault} />
      </div>
      {!current && <Button label="Log it out" isBusy={isBusy} onClick={() => void change({ input: { id } })} />}
    </li>
  );
}

/** The first match counts: browsers also name the browsers that they are made from. */
const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/** @returns such as `Firefox on Linux` */
function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${browser ?? "A browser"}${system === undefined ? "" : ` on ${system}`}`;
}
