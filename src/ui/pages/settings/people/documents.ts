import { type FragmentOf, gql, mutation, type ResultOf, using } from "../../../graphql/graphql.ts";

const PERSON = gql("fragment PersonRow on User { id email name role grants disabled lastLoginAt hasPassword sso }");

export type PersonRow = FragmentOf<typeof PERSON>;

export const PEOPLE = using(PERSON).gql(`query People($after: String) {
  people(first: 100, after: $after) { nodes { ...PersonRow } pageInfo { nextCursor } }
}`);

export const INVITATIONS = gql(`query Invitations($after: String) {
  invitations(first: 100, after: $after) {
    totalCount
    nodes { id email role works createdAt expiresAt invitedBy { id name email } }
    pageInfo { nextCursor }
  }
}`);

export type InvitationRow = NonNullable<ResultOf<typeof INVITATIONS>["invitations"]>["nodes"][number];

export const CANCEL_INVITATION = mutation("cancelInvitation", "id");

export const INVITE = mutation("invitePerson", "link email expiresAt");

export const RESET_PASSWORD = mutation("resetPassword", "link email expiresAt");

export const CHANGE_PERSON = mutation("changePerson", "person { ...PersonRow }", [PERSON]);

export const GRANT = mutation("grantPermission", "user { ...PersonRow }", [PERSON]);

export const REVOKE_GRANT = mutation("revokePermission", "user { ...PersonRow }", [PERSON]);
