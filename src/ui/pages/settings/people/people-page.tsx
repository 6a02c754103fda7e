/** Settings › People: who may enter the workspace, and what they may do. */
import { useState } from "react";

import { Button } from "../../../parts/button.tsx";
import { ChangeDialog, ConfirmChange } from "../../../parts/change-form.tsx";
import { Secret } from "../../../parts/copy.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import { ROLES, toRole } from "../roles.ts";
import { SettingsPage } from "../settings-page.tsx";
import { INVITE, PEOPLE, type PersonRow, RESET_PASSWORD } from "./documents.ts";
import { Invitations, type MadeLink } from "./invitations.tsx";
import { PersonLine } from "./person-line.tsx";

const TABLE = { label: "People", columns: ["Person", "Role", "Also may", "Logs in by", "Last login", ""] };

export function PeoplePage() {
  const [isInviting, setInviting] = useState(false);
  // Here and not at its row: if the rows cannot be loaded again, the link must stay, since it is shown once.
  const [resetting, setResetting] = useState<PersonRow | null>(null);
  const [made, setMade] = useState<MadeLink | null>(null);
  return (
    <SettingsPage
      title="People"
      lead="Who may enter this workspace, and what they may do in it."
      forAdmins="see and change the people of a workspace"
      actions={<Button look="primary" icon="plus" label="Invite a person" onClick={() => setInviting(true)} />}
    >
      <Listing
        what="the people"
        query={PEOPLE}
        variables={(after) => ({ after })}
        pick={({ people }) => people}
        types={["User"]}
        table={TABLE}
        empty={null}
      >
        {(people) => people.map((it) => <PersonLine key={it.id} person={it} onReset={() => setResetting(it)} />)}
      </Listing>
      <Invitations onLink={setMade} />
      {isInviting && (
        <ChangeDialog
          title="Invite a person"
          action="Make the invitation"
          change={INVITE}
          variables={(form) => ({
            input: { email: String(form.get("email")).trim(), role: toRole(form.get("role")) },
          })}
          types={["User", "Invitation"]}
          onDone={({ invitePerson }) => setMade(invitePerson && { title: "The invitation", ...invitePerson })}
          onClose={() => setInviting(false)}
        >
          <TextField label="E-mail" name="email" type="email" autoFocus required autoComplete="off" />
          <SelectField label="Role" name="role" choices={ROLES} defaultValue="analyst" />
        </ChangeDialog>
      )}
      {resetting !== null && (
        <ConfirmChange
          title={`A new password for ${resetting.email}?`}
          action="Make a link"
          change={RESET_PASSWORD}
          variables={{ input: { userId: resetting.id } }}
          onDone={({ resetPassword }) =>
            setMade(resetPassword && { title: "A link for a new password", ...resetPassword })
          }
          onClose={() => setResetting(null)}
        >
          You get a link to hand on, by which they set a new password. Until then, the present one keeps working.
        </ConfirmChange>
      )}
      {made !== null && (
        <OnceDialog title={made.title} done="Done" onClose={() => setMade(null)}>
          <p>
            Give this link to {made.email}. It works once, and expires <Time at={made.expiresAt} />. It is not sent by
            mail, and cannot be shown again.
          </p>
          <Secret label="One-time link" text={made.link} />
        </OnceDialog>
      )}
    </SettingsPage>
  );
}
