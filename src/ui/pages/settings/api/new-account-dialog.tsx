import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ROLES, toRole } from "../roles.ts";
import { CREATE_ACCOUNT } from "./documents.ts";
import { SecretDialog } from "./secret-dialog.tsx";

export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const { change, isBusy, fault, faults } = useChange(CREATE_ACCOUNT);
  const [made, setMade] = useState<{ clientId: string; secret: string } | null>(null);
  const make = async (form: FormData): Promise<void> => {
    const input = { name: String(form.get("name")), role: toRole(form.get("role")) };
    const account = (await change({ input }))?.createServiceAccount;
    if (account) setMade({ clientId: account.clientId, secret: account.clientSecret });
  };
  if (made !== null) return <SecretDialog title="Your new service account" {...made} onClose={onClose} />;
  return (
    <FormDialog
      title="New service account"
      action="Make the account"
      isBusy={isBusy}
      fault={faults["name"] === undefined ? fault : null}
      onSubmit={(form) => void make(form)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        hint="The program that it is for."
        error={faults["name"]}
        autoFocus
        required
        maxLength={100}
      />
      <SelectField label="Role" name="role" choices={ROLES} defaultValue="analyst" />
    </FormDialog>
  );
}
