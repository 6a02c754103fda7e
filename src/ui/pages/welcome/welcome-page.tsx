/** What a one-time link opens: the first admin's, an invitation's, or a password reset's. */
import { useEffect, useState } from "react";

import { askAuth, type OneTimeLink, Refusal, loadSession, useRequest } from "../../app/session/session.ts";
import { useTitle, Panel, Skeleton } from "../../parts/page.tsx";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form.tsx";
import { Gate } from "../login/login-page.tsx";

const MIN_PASSWORD_CHARACTERS = 12;

const TITLES: Record<OneTimeLink["kind"], string> = {
  first_admin: "Welcome to Tributary",
  invitation: "You are invited",
  reset: "Choose a new password",
};

/** The token is behind the `#`, which browsers send to no server. */
function readToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}

export function WelcomePage({ onDone }: { onDone: () => void }) {
  useTitle("Welcome");
  const [token] = useState(readToken);
  const [link, setLink] = useState<OneTimeLink | Refusal | "loading" | "unreachable">("loading");
  useEffect(() => {
    askAuth<OneTimeLink>("link", { body: { token } }).then(setLink, (error: unknown) =>
      setLink(error instanceof Refusal ? error : "unreachable"),
    );
  }, [token]);

  if (link === "loading") {
    return (
      <Gate title="Opening the link …">
        <Skeleton rows={3} label="Opening the link" />
      </Gate>
    );
  }
  if (link === "unreachable" || link instanceof Refusal) {
    return (
      <Gate title="This link does not work">
        <Panel icon="warning" title={link === "unreachable" ? "The service cannot be reached" : "Used, or out of date"}>
          {link === "unreachable"
            ? "Try again in a moment."
            : "A link works once. Ask an admin for a new one. If nobody has logged in yet, restart the service: it prints a new one."}
        </Panel>
        <a className="center" href="/">
          Go to the login
        </a>
      </Gate>
    );
  }
  return (
    <Gate title={TITLES[link.kind]}>
      <WelcomeForm link={link} token={token} onDone={onDone} />
    </Gate>
  );
}

function WelcomeForm({ link, token, onDone }: { link: OneTimeLink; token: string; onDone: () => void }) {
  const isFirst = link.kind === "first_admin";
  const { submit, isBusy, fault } = useRequest(async (form) => {
    const textOf = (name: string): string => String(form.get(name) ?? "").trim();
    const name = textOf("name");
    const body = { token, password: String(form.get("password")), ...(isFirst && { email: textOf("email") }) };
    await askAuth("link/use", { body: name === "" ? body : { ...body, name } });
    await loadSession();
    onDone();
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      {isFirst && <p className="soft">You are its first admin. Choose how you log in.</p>}
      {link.kind !== "reset" && <TextField label="Your name" name="name" autoComplete="name" required autoFocus />}
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={link.email ?? ""}
        readOnly={!isFirst}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={MIN_PASSWORD_CHARACTERS}
        required
        hint={`At least ${MIN_PASSWORD_CHARACTERS} characters. A few words are easy to remember.`}
      />
      <div role="alert">{fault && <p className="notice bad">{fault}</p>}</div>
      <Button
        label={link.kind === "reset" ? "Save the password" : "Enter the workspace"}
        type="submit"
        look="primary"
        isBusy={isBusy}
      />
    </form>
  );
}
