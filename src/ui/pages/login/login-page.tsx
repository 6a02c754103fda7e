import type { LoginWays } from "../../app/session/api.ts";
import { useTitle } from "../../app/use-title.ts";
import { Gate } from "./gate.tsx";
import { LoginForm } from "./login-form.tsx";
import styles from "./login-page.module.css";

export function LoginPage({ login }: { login: LoginWays }) {
  useTitle("Log in");
  return (
    <Gate title="Log in to your workspace">
      <LoginForm login={login} />
      <p className={styles["hint"]}>
        {login.password
          ? "No account, or no password any more? An admin of the workspace can send you a link."
          : "Your account comes from your organisation."}
      </p>
    </Gate>
  );
}
