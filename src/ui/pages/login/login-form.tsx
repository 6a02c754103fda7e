/** Asks for an address and a password, or leads to the identity provider. */
import { type FormEvent, useState } from "react";

import { type LoginWays, Refusal } from "../../app/session/api.ts";
import { logIn } from "../../app/session/session-store.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import styles from "./login-form.module.css";

/**
 * @param email the address of whoever was logged in, which cannot be changed. The identity provider then gets a tab of
 *   its own, so that the page that is open stays
 */
export function LoginForm({ login, email }: { login: LoginWays; email?: string }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFault(null);
    try {
      await logIn(String(form.get("email")), String(form.get("password")));
    } catch (error) {
      setFault(describeFault(error));
      setBusy(false);
    }
  };
  const here = location.pathname === "/login" ? "/" : `${location.pathname}${location.search}`;
  return (
    <div className={styles["ways"]}>
      {login.sso && (
        <a
          className={styles["sso"]}
          href={`/auth/sso?return_to=${encodeURIComponent(here)}`}
          target={email === undefined ? undefined : "_blank"}
        >
          Continue with {login.sso.name}
        </a>
      )}
      {login.sso && login.password && <p className={styles["or"]}>or</p>}
      {login.password && (
        <form className={styles["form"]} onSubmit={submit}>
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
          <div role="alert">{fault && <p className={styles["fault"]}>{fault}</p>}</div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? "Logging in …" : "Log in"}
          </Button>
        </form>
      )}
    </div>
  );
}

function describeFault(error: unknown): string {
  if (!(error instanceof Refusal)) return "The service cannot be reached.";
  if (error.status === 401) return "Address or password is wrong.";
  if (error.status === 429) return "Too many attempts. Wait some minutes, then try again.";
  return error.message;
}
