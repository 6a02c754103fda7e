/** Shown over the page when the session ended. The page and what was typed in it stay. */
import type { LoginWays, Session } from "../../app/session/api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import styles from "./expired-dialog.module.css";
import { LoginForm } from "./login-form.tsx";

export function ExpiredDialog({ session, login }: { session: Session; login: LoginWays }) {
  return (
    <Dialog title="Your session has ended" isOpen mayClose={false} onClose={() => {}}>
      <div className={styles["body"]}>
        <p>Log in again to go on. This page stays as it is.</p>
        <LoginForm login={login} email={session.user.email} />
        <Button look="quiet" onClick={() => location.assign("/")}>
          Log in as somebody else
        </Button>
      </div>
    </Dialog>
  );
}
