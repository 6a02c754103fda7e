import type { LoginWays } from "../../app/session/api.ts";
import { useTitle } from "../../parts/page.tsx";
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
