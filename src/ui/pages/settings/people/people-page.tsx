/** Settings › People: who may enter the workspace, and what they may do. */
import { useState } from "react";
import { useQuery } from "urql";

import { useIsAdmin } from "../../../app/session/use-session.ts";
import { usePages } from "../../../graphql/use-pages.ts";
import { Button } from "../../../parts/button.tsx";
import { ErrorPanel, NoPermission } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { ErrorRows, Table } from "../../../parts/table.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { PEOPLE, type PersonRow } from "./documents.ts";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";
import { PersonLine } from "./person-line.tsx";
import { ResetDialog } from "./reset-dialog.tsx";

const LEAD = "Who may enter this workspace, and what they may do in it.";

export function PeoplePage() {
  const isAdmin = useIsAdmin();
  if (isAdmin) return <People />;
  return (
    <SettingsPage title="People" lead={LEAD}>
      <NoPermission needs="Only admins see and change the people of a workspace. Ask an admin of this workspace." />
    </SettingsPage>
  );
}

function People() {
  const [isInviting, setInviting] = useState(false);
  // Here and not at its row: rows that cannot be loaded again must not take a link that is shown once with them.
  const [resetting, setResetting] = useState<PersonRow | null>(null);
  const [renewed, setRenewed] = useState<MadeLink | null>(null);
  const { cursors, showMore } = usePages();
  const [{ data, error }, again] = useQuery({ query: PEOPLE, variables: { after: null } });
  const content = (() => {
    if (data?.people) {
      return (
        <Table label="People">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Role</th>
              <th scope="col">Also may</th>
              <th scope="col">Logs in by</th>
              <th scope="col">Last login</th>
              <th scope="col">
                <Unseen>What to do</Unseen>
              </th>
            </tr>
          </thead>
          {cursors.map((after) => (
            <PeopleRows
              key={after}
              after={after}
              onReset={setResetting}
              onMore={after === cursors.at(-1) ? showMore : null}
            />
          ))}
        </Table>
      );
    }
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={5} label="Loading the people" />;
  })();
  return (
    <SettingsPage
      title="People"
      lead={LEAD}
      actions={
        <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      {content}
      <Invitations onLink={setRenewed} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {renewed !== null && <LinkDialog title="A new link" made={renewed} onClose={() => setRenewed(null)} />}
      {resetting !== null && <ResetDialog person={resetting} onClose={() => setResetting(null)} />}
    </SettingsPage>
  );
}

interface PeopleRowsProps {
  after: string | null;
  /** Makes a link for a new password. */
  onReset: (person: PersonRow) => void;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function PeopleRows({ after, onReset, onMore }: PeopleRowsProps) {
  const [{ data, error }, again] = useQuery({ query: PEOPLE, variables: { after } });
  if (!data?.people && error) {
    return <ErrorRows columns={6} error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
  }
  const { endCursor = null, hasNextPage = false } = data?.people?.pageInfo ?? {};
  return (
    <tbody>
      {data?.people?.nodes.map((person) => (
        <PersonLine key={person.id} person={person} onReset={() => onReset(person)} />
      ))}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <tr>
          <td colSpan={6}>
            <Button onClick={() => onMore(endCursor)}>Show more</Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}
