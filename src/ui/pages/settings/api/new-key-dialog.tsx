/** Makes a key, and shows it once. */
import { useState } from "react";
import { useQuery } from "urql";

import { useChange } from "../../../graphql/use-change.ts";
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { OnceDialog } from "../../../parts/once-dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import styles from "./api.module.css";
import { CREATE_KEY, WORKSPACE_KIND } from "./documents.ts";
import { writeCurl } from "./lines.ts";

const SCOPES = [
  { name: "read", hint: "Read the catalog: assets, lineage, metrics, connectors." },
  { name: "write", hint: "Trigger crawls, send lineage events, define and certify metrics." },
  { name: "admin", hint: "Manage connectors, people, keys and settings." },
] as const;

const EXPIRIES = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

interface NewKeyDialogProps {
  /** What the person may give. */
  scopes: readonly string[];
  onClose: () => void;
}

export function NewKeyDialog({ scopes, onClose }: NewKeyDialogProps) {
  const { change, isBusy, fault, faults } = useChange(CREATE_KEY);
  const [made, setMade] = useState<{ token: string; expiresAt: string | null } | null>(null);
  const [{ data }] = useQuery({ query: WORKSPACE_KIND, pause: !scopes.includes("read") });
  const mayTest = data?.workspace?.kind === "sandbox";
  const make = async (form: FormData): Promise<void> => {
    const days = String(form.get("expires"));
    const answer = await change({
      input: {
        name: String(form.get("name")),
        scopes: SCOPES.map(({ name }) => name).filter((name) => form.has(`scope-${name}`)),
        expiresInDays: days === "" ? null : Number(days),
        test: form.get("kind") === "test",
      },
    });
    const key = answer?.createApiKey;
    if (key) setMade({ token: key.token, expiresAt: key.apiKey.expiresAt });
  };
  if (made !== null) return <MadeDialog {...made} onClose={onClose} />;
  const isAboutField = Object.keys(faults).some((field) => field === "name" || field === "scopes");
  return (
    <FormDialog
      title="New key"
      action="Make the key"
      isBusy={isBusy}
      fault={isAboutField ? null : fault}
      onSubmit={(form) => void make(form)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        hint="What it is for, such as the program that uses it."
        error={faults["name"]}
        autoFocus
        required
        maxLength={100}
      />
      <FieldGroup label="What it may do" error={faults["scopes"] ?? null}>
        {SCOPES.map(({ name, hint }) => (
          <CheckField
            key={name}
            label={name}
            name={`scope-${name}`}
            hint={scopes.includes(name) ? hint : "You may not do this yourself."}
            defaultChecked={name === "read" && scopes.includes("read")}
            disabled={!scopes.includes(name)}
          />
        ))}
      </FieldGroup>
      <div className={styles["pair"]}>
        <SelectField label="Expires" name="expires" choices={EXPIRIES} defaultValue="90" />
        <SelectField
          label="Kind"
          name="kind"
          choices={[
            { value: "live", label: "Live" },
            { value: "test", label: "Test", isDisabled: !mayTest },
          ]}
          hint={mayTest ? null : "Only a sandbox workspace takes test keys."}
        />
      </div>
    </FormDialog>
  );
}

function MadeDialog({ token, expiresAt, onClose }: { token: string; expiresAt: string | null; onClose: () => void }) {
  return (
    <OnceDialog title="Your new key" done="I have stored it" onClose={onClose}>
      <p>Copy it now. It is stored as a hash only, and cannot be shown again.</p>
      <Secret label="API key" text={token} />
      <p className={styles["soft"]}>
        {expiresAt === null ? (
          "It works until you revoke it."
        ) : (
          <>
            It expires <Time at={expiresAt} />.
          </>
        )}
      </p>
      <Snippet label="A first call" text={writeCurl(location.origin, token)} />
    </OnceDialog>
  );
}
