import { useEffect } from "react";

import type { LoginWays, Session } from "../../app/session/api.ts";
import { useTitle } from "../../parts/page.tsx";
import { loadSession } from "../../app/session/session-store.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Gate } from "./gate.tsx";
import { LoginForm } from "./login-form.tsx";

/** Why single sign-on failed, by the codes with which the service leads back here. */
const FAULTS: Readonly<Record<string, string>> = {
  sso_denied: "The login was cancelled or refused at the provider.",
  sso_failed: "The provider could not log you in, or it took too long. Try again.",
  sso_not_allowed: "You may not log in here. Ask an admin of the workspace for an invitation.",
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
    <Dialog title="Your session has ended" isOpen mayClose={false} onClose={() => {}}>
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
