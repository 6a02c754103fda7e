/** Shown over the page when the session ended. The page keeps what was typed in it. */
import { useEffect } from "react";

import type { LoginWays, Session } from "../../app/session/api.ts";
import { loadSession } from "../../app/session/session-store.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { LoginForm } from "./login-form.tsx";

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
