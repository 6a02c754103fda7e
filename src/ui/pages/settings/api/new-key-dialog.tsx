/** The dialogs that make a key and show it once. */
import { useQuery } from "urql";

import type { ResultOf } from "../../../graphql/graphql.ts";
import { ChangeDialog } from "../../../parts/change-form.tsx";
import { Secret, Snippet } from "../../../parts/copy.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../../parts/form.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import { CREATE_KEY, SERVICE_ACCOUNTS, WORKSPACE_KIND } from "./documents.ts";
import { writeLines } from "./lines.ts";

const SCOPES = [
  { name: "read", hint: "Read the catalog: assets, lineage, metrics, connectors." },
  { name: "write", hint: "Trigger syncs, send lineage events, define and certify metrics." },
  { name: "admin", hint: "Manage connectors, people, keys and settings." },
] as const;

const EXPIRIES = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

/** When a key or a secret expires; see `readExpiry`. */
export function ExpiryField({ label = "Expires" }: { label?: string }) {
  return <SelectField label={label} name="expires" choices={EXPIRIES} defaultValue="90" />;
}

/** Days; null for never. */
export const readExpiry = (form: FormData): number | null => Number(form.get("expires")) || null;

/** Null if nothing was made. */
export type MadeKey = ResultOf<typeof CREATE_KEY>["createApiKey"];

interface NewKeyDialogProps {
  /** What the person may give. */
  scopes: readonly string[];
  onMade: (made: MadeKey) => void;
  onClose: () => void;
}

export function NewKeyDialog({ scopes, onMade, onClose }: NewKeyDialogProps) {
  const [{ data }] = useQuery({ query: WORKSPACE_KIND, pause: !scopes.includes("read") });
  const mayTest = data?.workspace?.kind === "sandbox";
  return (
    <ChangeDialog
      title="New key"
      action="Make the key"
      change={CREATE_KEY}
      variables={(form) => ({
        input: {
          name: String(form.get("name")),
          scopes: SCOPES.map(({ name }) => name).filter((name) => form.has(`scope-${name}`)),
          expiresInDays: readExpiry(form),
          networks: String(form.get("networks"))
            .split(/[\s,]+/)
            .filter(Boolean),
          serviceAccountId: String(form.get("account") ?? "") || null,
          test: form.get("kind") === "test",
        },
      })}
      onDone={({ createApiKey }) => onMade(createApiKey)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        hint="What it is for, such as the program that uses it."
        autoFocus
        required
        maxLength={100}
      />
      {scopes.includes("admin") && <OwnerField />}
      <FieldGroup label="What it may do" name="scopes">
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
      <div className="pair">
        <ExpiryField />
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
      <TextField
        label="Networks"
        name="networks"
        hint="Where it is accepted from, such as 203.0.113.0/24 or 2001:db8::/32, separated by commas. Empty: from everywhere that the workspace accepts."
        autoComplete="off"
        spellCheck={false}
      />
    </ChangeDialog>
  );
}

/** Whose permissions limit the key. */
function OwnerField() {
  const [{ data }] = useQuery({ query: SERVICE_ACCOUNTS, variables: { after: null } });
  const accounts = data?.serviceAccounts?.nodes.filter(({ disabledAt }) => disabledAt === null) ?? [];
  if (accounts.length === 0) return null;
  return (
    <SelectField
      label="Belongs to"
      name="account"
      choices={[
        { value: "", label: "You" },
        ...accounts.map(({ id, name, role }) => ({ value: id, label: `${name}, a service account (${role})` })),
      ]}
    />
  );
}

/** Shows a new key, once. */
export function MadeKeyDialog({ made, onClose }: { made: NonNullable<MadeKey>; onClose: () => void }) {
  return (
    <OnceDialog title="Your new key" done="I have stored it" onClose={onClose}>
      <p>Copy it now. It is stored as a hash only, and cannot be shown again.</p>
      <Secret label="API key" text={made.token} />
      <p className="soft">
        {made.apiKey.expiresAt !== null && "It expires "}
        <Time at={made.apiKey.expiresAt} none="It works until you revoke it" />.
      </p>
      <Snippet label="A first call" text={writeLines(location.origin, made.token).curl} />
    </OnceDialog>
  );
}
