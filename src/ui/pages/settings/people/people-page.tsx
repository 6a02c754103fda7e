/** Settings › People: who may enter the workspace, and what they may do. */
import { useState } from "react";

import { Button } from "../../../parts/button.tsx";
import { ChangeDialog, ConfirmButton, ConfirmChange } from "../../../parts/change-form.tsx";
import { Secret } from "../../../parts/copy.tsx";
import { SelectField, TextField } from "../../../parts/form.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { OnceDialog } from "../../../parts/dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import { ROLES, toRole } from "../roles.ts";
import { SettingsPage } from "../settings-page.tsx";
import { PersonName } from "../../../assets/names.tsx";
import { gql, mutation, type ResultOf, using } from "../../../graphql/graphql.ts";
import { useChange } from "../../../graphql/requests.ts";
import { Badge } from "../../../parts/marks.tsx";
import { Section } from "../../../parts/page.tsx";
import { PERSON, PERSON_COLUMNS, PersonLine, type PersonRow } from "./person-line.tsx";

const PEOPLE = using(PERSON).gql(`query People($after: String) {
  people(first: 100, after: $after) { nodes { ...PersonRow } pageInfo { nextCursor } }
}`);

const INVITATIONS = gql(`query Invitations($after: String) {
  invitations(first: 100, after: $after) {
    totalCount
    nodes { id email role works createdAt expiresAt invitedBy { id name email } }
    pageInfo { nextCursor }
  }
}`);

type InvitationRow = NonNullable<ResultOf<typeof INVITATIONS>["invitations"]>["nodes"][number];

const CANCEL_INVITATION = mutation("cancelInvitation", "id");
const INVITE = mutation("invitePerson", "link email expiresAt");
const RESET_PASSWORD = mutation("resetPassword", "link email expiresAt");

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
        types={["User"]}
        table={{ label: "People", columns: PERSON_COLUMNS }}
        empty={null}
        renderLine={(person) => <PersonLine person={person} onReset={() => setResetting(person)} />}
      />
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

/** A one-time link, which is shown once. */
type MadeLink = NonNullable<ResultOf<typeof INVITE>["invitePerson"]> & { title: string };

type OnLink = (made: MadeLink) => void;

/** Shows nothing if nobody is invited. @param onLink shows a new link */
function Invitations({ onLink }: { onLink: OnLink }) {
  return (
    <Listing
      what="the invitations"
      query={INVITATIONS}
      types={["Invitation"]}
      rows={0}
      empty={null}
      renderFrame={(pages, { totalCount }) => (
        <Section
          title="Open invitations"
          count={totalCount ?? undefined}
          lead="They were invited, and have not used their link yet."
        >
          {pages}
        </Section>
      )}
      list="lines"
      label="Open invitations"
      renderLine={(invitation) => <InvitationLine invitation={invitation} onLink={onLink} />}
    />
  );
}

function InvitationLine({ invitation, onLink }: { invitation: InvitationRow; onLink: OnLink }) {
  const { id, email, role, works, createdAt, expiresAt, invitedBy } = invitation;
  const { change, isBusy, fault } = useChange(INVITE, {
    types: ["Invitation"],
    onDone: ({ invitePerson: link }) => link && onLink({ title: "A new link", ...link }),
  });
  return (
    <li className="cluster spread padded">
      <div className="shrink wrap">
        <strong>{email}</strong> <Badge label={role} tone={role === "admin" ? "warn" : "neutral"} />{" "}
        {!works && <Badge label="the link does not work any more" tone="bad" />}
        <small>
          Invited <Time at={createdAt} />
          {invitedBy !== null && (
            <>
              {" by "}
              <PersonName of={{ address: invitedBy.email, name: invitedBy.name || invitedBy.email }} />
            </>
          )}
          {works && (
            <>
              {". "}The link ends <Time at={expiresAt} />
            </>
          )}
        </small>
        {fault !== null && (
          <small role="alert" className="bad">
            {fault}
          </small>
        )}
      </div>
      <div className="cluster">
        <Button
          label="New link"
          isBusy={isBusy}
          onClick={() => void change({ input: { email, role } })}
          aria-label={`New link for ${email}`}
        />
        <ConfirmButton
          label="Cancel"
          fullLabel={`Cancel the invitation of ${email}`}
          look="quiet"
          title={`Cancel the invitation of ${email}?`}
          action="Cancel the invitation"
          change={CANCEL_INVITATION}
          variables={{ input: { id } }}
          types={["Invitation"]}
          onDone={() => `The invitation of ${email} is cancelled.`}
        >
          The link stops working at once. You can invite them again.
        </ConfirmButton>
      </div>
    </li>
  );
}
