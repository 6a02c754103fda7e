/** People who were invited and have not come yet. */
import { useState } from "react";
import { useQuery } from "urql";

import { usePages } from "../../../graphql/use-pages.ts";
import { useChange } from "../../../graphql/use-change.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { Section } from "../../../parts/page.tsx";
import { ErrorPanel } from "../../../parts/panel.tsx";
import { Time } from "../../../parts/time.tsx";
import { showToast } from "../../../parts/toast.tsx";
import { CANCEL_INVITATION, INVITATIONS, type InvitationRow, INVITE } from "./documents.ts";
import type { MadeLink } from "./link-dialog.tsx";
import styles from "./people.module.css";

/** Asked again when somebody is invited while nobody is. */
const NOTICES_NEW_ONES = { additionalTypenames: ["Invitation"] };

/** Nothing is shown if nobody is invited. @param onLink shows a new link, which is told once */
export function Invitations({ onLink }: { onLink: (made: MadeLink) => void }) {
  const { cursors, showMore } = usePages();
  const [cancelling, setCancelling] = useState<InvitationRow | null>(null);
  const [{ data, error }, again] = useQuery({
    query: INVITATIONS,
    variables: { after: null },
    context: NOTICES_NEW_ONES,
    // Somebody may have used a link since.
    requestPolicy: "cache-and-network",
  });
  if (error && !data?.invitations) {
    return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
  }
  const count = data?.invitations?.totalCount ?? 0;
  if (count === 0) return null;
  return (
    <Section title="Open invitations" count={count} lead="They were invited, and have not used their link yet.">
      <ul className={styles["invitations"]} aria-label="Open invitations">
        {cursors.map((after) => (
          <InvitationPage
            key={after}
            after={after}
            onLink={onLink}
            onCancel={setCancelling}
            onMore={after === cursors.at(-1) ? showMore : null}
          />
        ))}
      </ul>
      {cancelling !== null && <CancelDialog invitation={cancelling} onClose={() => setCancelling(null)} />}
    </Section>
  );
}

interface InvitationPageProps {
  after: string | null;
  onLink: (made: MadeLink) => void;
  onCancel: (invitation: InvitationRow) => void;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function InvitationPage({ after, onLink, onCancel, onMore }: InvitationPageProps) {
  const [{ data }] = useQuery({ query: INVITATIONS, variables: { after }, context: NOTICES_NEW_ONES });
  const { endCursor = null, hasNextPage = false } = data?.invitations?.pageInfo ?? {};
  return (
    <>
      {data?.invitations?.nodes.map((invitation) => (
        <InvitationLine
          key={invitation.id}
          invitation={invitation}
          onLink={onLink}
          onCancel={() => onCancel(invitation)}
        />
      ))}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <li>
          <Button onClick={() => onMore(endCursor)}>Show more</Button>
        </li>
      )}
    </>
  );
}

interface InvitationLineProps {
  invitation: InvitationRow;
  onLink: (made: MadeLink) => void;
  onCancel: () => void;
}

function InvitationLine({ invitation, onLink, onCancel }: InvitationLineProps) {
  const { email, role, works, createdAt, expiresAt, invitedBy } = invitation;
  const { change, isBusy, fault } = useChange(INVITE, ["Invitation"]);
  const renew = async (): Promise<void> => {
    const link = (await change({ input: { email, role } }))?.invitePerson;
    if (link) onLink(link);
  };
  return (
    <li className={styles["invitation"]}>
      <div className={styles["person"]}>
        <strong>{email}</strong> <Badge tone={role === "admin" ? "warn" : "neutral"}>{role}</Badge>{" "}
        {!works && <Badge tone="bad">the link does not work any more</Badge>}
        <small>
          Invited <Time at={createdAt} />
          {invitedBy !== null && ` by ${invitedBy.name || invitedBy.email}`}
          {works && (
            <>
              {". "}The link ends <Time at={expiresAt} />
            </>
          )}
        </small>
        {fault !== null && (
          <small role="alert" className={styles["fault"]}>
            {fault}
          </small>
        )}
      </div>
      <div className={styles["buttons"]}>
        <Button isBusy={isBusy} onClick={() => void renew()} aria-label={`New link for ${email}`}>
          New link
        </Button>
        <Button look="quiet" onClick={onCancel} aria-label={`Cancel the invitation of ${email}`}>
          Cancel
        </Button>
      </div>
    </li>
  );
}

function CancelDialog({ invitation: { id, email }, onClose }: { invitation: InvitationRow; onClose: () => void }) {
  const { change, isBusy, fault } = useChange(CANCEL_INVITATION, ["Invitation"]);
  const cancel = async (): Promise<void> => {
    if ((await change({ input: { id } })) === null) return;
    showToast(`The invitation of ${email} is cancelled.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Cancel the invitation of ${email}?`}
      action="Cancel the invitation"
      isBusy={isBusy}
      fault={fault}
      onConfirm={() => void cancel()}
      onClose={onClose}
    >
      The link stops working at once. You can invite them again.
    </ConfirmDialog>
  );
}
