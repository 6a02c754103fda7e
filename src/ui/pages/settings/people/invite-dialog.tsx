import { useState } from "react";

import { useChange } from "../../../graphql/use-change.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { ROLES, toRole } from "../roles.ts";
import { INVITE } from "./documents.ts";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { change, isBusy, fault, faults } = useChange(INVITE, ["User"]);
  const [made, setMade] = useState<MadeLink | null>(null);
  const invite = async (form: FormData): Promise<void> => {
    const input = { email: String(form.get("email")).trim(), role: toRole(form.get("role")) };
    const link = (await change({ input }))?.invitePerson;
    if (link) setMade(link);
  };
  if (made !== null) return <LinkDialog title="The invitation" made={made} onClose={onClose} />;
  return (
    <Dialog title="Invite a person" isOpen onClose={onClose}>
      <Form
        isInDialog
        fault={faults["email"] === undefined ? fault : null}
        onSubmit={(form) => void invite(form)}
        buttons={
          <>
            <Button type="submit" look="primary" isBusy={isBusy}>
              Make the invitation
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </>
        }
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
      </Form>
    </Dialog>
  );
}
