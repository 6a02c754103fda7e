import { useRef, useState } from "react";

import { Refusal } from "../../../app/session/api.ts";
import { changePassword } from "../../../app/session/session-store.ts";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { showToast } from "../../../parts/toast.tsx";
import styles from "./account.module.css";

export function PasswordForm({ email }: { email: string }) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const save = async (form: FormData): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await changePassword(String(form.get("current")), String(form.get("next")));
      fields.current?.closest("form")?.reset();
      showToast("Your password is changed. Your other sessions have ended.");
    } catch (error) {
      setFault(error instanceof Refusal ? error.message : "The service cannot be reached.");
    }
    setBusy(false);
  };
  return (
    <Section title="Password" lead="Changing it logs you out everywhere but here.">
      <Form
        fault={fault}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Change the password
          </Button>
        }
      >
        <div ref={fields} className={styles["fields"]}>
          {/* Password managers want to know whose it is. */}
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
