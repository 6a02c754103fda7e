/** Asks for an address and a password, or leads to the identity provider. */
import { describeFault, type LoginWays, Refusal } from "../../app/session/api.ts";
import { logIn } from "../../app/session/session-store.ts";
import { useRequest } from "../../app/session/use-request.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import styles from "./login-form.module.css";

/**
 * @param email the address of the person whose session ended. It cannot be changed, and the identity provider opens in a
 *   new tab, so that this page stays
 */
export function LoginForm({ login, email }: { login: LoginWays; email?: string }) {
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
