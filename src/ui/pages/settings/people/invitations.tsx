/** People who were invited and have not used their link yet. */
import { PersonName } from "../../../assets/person-name.tsx";
import type { ResultOf } from "../../../graphql/graphql.ts";
import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { ConfirmButton } from "../../../parts/change-form.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { CANCEL_INVITATION, INVITATIONS, type InvitationRow, INVITE } from "./documents.ts";

/** A one-time link, which is shown once. */
export type MadeLink = NonNullable<ResultOf<typeof INVITE>["invitePerson"]> & { title: string };

type OnLink = (made: MadeLink) => void;

/** Shows nothing if nobody is invited. @param onLink shows a new link */
export function Invitations({ onLink }: { onLink: OnLink }) {
  return (
    <Listing
      what="the invitations"
      query={INVITATIONS}
      variables={(after) => ({ after })}
      pick={({ invitations }) => invitations}
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
    >
      {(invitations) => (
        <ul className="lines" aria-label="Open invitations">
          {invitations.map((it) => (
            <InvitationLine key={it.id} invitation={it} onLink={onLink} />
          ))}
        </ul>
      )}
    </Listing>
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
