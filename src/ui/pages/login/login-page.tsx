import { useEffect, type ReactNode } from "react";

import {
  describeFault,
  type LoginWays,
  Refusal,
  type Session,
  loadSession,
  logIn,
  useRequest,
} from "../../app/session/session.ts";
import { useTitle } from "../../parts/page.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form.tsx";
import { Brand } from "../../parts/brand.tsx";
import styles from "./login-page.module.css";

/** Why single sign-on failed, by the codes with which the service leads back here. */
const FAULTS: Readonly<Record<string, string>> = {
  sso_denied: "The login was cancelled or refused at the provider.",
  sso_failed: "The provider could not log you in, or it took too long. Try again.",
  sso_not_allowed: "You may not log in here. Ask an admin of the workspace, whose audit trail says why.",
  sso_unavailable: "The provider does not answer. Try again later, or use your password.",
};

export function LoginPage({ login }: { login: LoginWays }) {
  useTitle("Log in");
  const fault = FAULTS[new URLSearchParams(location.search).get("error") ?? ""];
  return (
    <Gate title="Log in to your workspace">
      {fault && (
        <p className="notice bad" role="alert">
          {fault}
        </p>
      )}
      <LoginForm login={login} />
      <p className="hint">
        {login.password
          ? "No account, or no password any more? An admin of the workspace can send you a link. The first one is in the terminal that started Tributary."
          : "Your account comes from your organisation."}
      </p>
    </Gate>
  );
}

/** Shown over the page when the session ended. The page keeps what was typed in it. */
export function ExpiredDialog({ session, login }: { session: Session; login: LoginWays }) {
  useEffect(() => {
    // Somebody may have logged in in another tab.
    const ask = (): void => void loadSession();
    addEventListener("focus", ask);
    return () => removeEventListener("focus", ask);
  }, []);
  return (
    <Dialog title="Your session has ended" mayClose={false} onClose={() => {}}>
      <div className="stack dialog-body">
        <p className="soft">
          Log in again to go on. This page stays as it is.
          {login.sso && ` ${login.sso.name} opens in another tab: come back to this one after you have logged in.`}
        </p>
        <LoginForm login={login} email={session.user.email} />
        <Button label="Log in as somebody else" look="quiet" onClick={() => location.assign("/")} />
      </div>
    </Dialog>
  );
}

/**
 * @param email the address of the person whose session ended. It cannot be changed, and the identity provider opens in a
 *   new tab, so that this page stays
 */
function LoginForm({ login, email }: { login: LoginWays; email?: string }) {
  const { submit, isBusy, fault } = useRequest(
    (form) => logIn(String(form.get("email")), String(form.get("password"))),
    describeLoginFault,
  );
  const here = location.pathname === "/login" ? "/" : `${location.pathname}${location.search}`;
  return (
    <div className="stack">
      {login.sso && (
        <a
          className={`hoverable center medium ${styles["sso"]}`}
          href={`/auth/sso?return_to=${encodeURIComponent(here)}`}
          target={email === undefined ? undefined : "_blank"}
        >
          Continue with {login.sso.name}
        </a>
      )}
      {login.sso && login.password && <p className="center hint">or</p>}
      {login.password && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            submit(new FormData(event.currentTarget));
          }}
        >
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={email}
            readOnly={email !== undefined}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus={email !== undefined}
          />
          <div role="alert">{fault && <p className="notice bad">{fault}</p>}</div>
          <Button label={isBusy ? "Logging in …" : "Log in"} type="submit" look="primary" isBusy={isBusy} />
        </form>
      )}
    </div>
  );
}

function describeLoginFault(error: unknown): string {
  const status = error instanceof Refusal ? error.status : null;
  if (status === 401) return "Address or password is wrong.";
  if (status === 429) return "Too many attempts. Wait some minutes, then try again.";
  return describeFault(error);
}

/** The frame of the pages before the login. */
export function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={`screen ${styles["gate"]}`}>
      <div className={`stack roomy ${styles["card"]}`}>
        <p className="row large strong">
          <Brand size={22} /> Tributary
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
