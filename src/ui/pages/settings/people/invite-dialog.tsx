import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ROLES, toRole } from "../roles.ts";
import { INVITE } from "./documents.ts";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { change, isBusy, fault, faults } = useChange(INVITE, ["User", "Invitation"]);
  const [made, setMade] = useState<MadeLink | null>(null);
  const invite = async (form: FormData): Promise<void> => {
    const input = { email: String(form.get("email")).trim(), role: toRole(form.get("role")) };
    const link = (await change({ input }))?.invitePerson;
    if (link) setMade(link);
  };
  if (made !== null) return <LinkDialog title="The invitation" made={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite a person"
      action="Make the invitation"
      isBusy={isBusy}
      fault={faults["email"] === undefined ? fault : null}
      onSubmit={(form) => void invite(form)}
      onClose={onClose}
    >
      <TextField
        label="E-mail"
        name="email"
        type="email"
        error={faults["email"]}
        autoFocus
        required
        autoComplete="off"
      />
      <SelectField label="Role" name="role" choices={ROLES} defaultValue="analyst" />
    </FormDialog>
  );
}
