import { type FragmentOf, graphql } from "../../../graphql/graphql.ts";

const PERSON = graphql(`
  fragment PersonRow on User {
    id
    email
    name
    role
    grants
    disabled
    lastLoginAt
    hasPassword
    sso
  }
`);

export type PersonRow = FragmentOf<typeof PERSON>;

export const PEOPLE = graphql(
  `
    query People($after: String) {
      people(first: 100, after: $after) {
        nodes {
          ...PersonRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [PERSON],
);

export const INVITE = graphql(`
  mutation InvitePerson($input: InvitePersonInput!) {
    invitePerson(input: $input) {
      link
      email
      expiresAt
    }
  }
`);

export const RESET_PASSWORD = graphql(`
  mutation ResetPassword($input: ResetPasswordInput!) {
    resetPassword(input: $input) {
      link
      email
      expiresAt
    }
  }
`);

export const CHANGE_PERSON = graphql(
  `
    mutation ChangePerson($input: ChangePersonInput!) {
      changePerson(input: $input) {
        person {
          ...PersonRow
        }
      }
    }
  `,
  [PERSON],
);

export const GRANT = graphql(
  `
    mutation GrantPermission($input: GrantPermissionInput!) {
      grantPermission(input: $input) {
        user {
          ...PersonRow
        }
      }
    }
  `,
  [PERSON],
);

export const REVOKE_GRANT = graphql(
  `
    mutation RevokePermission($input: RevokePermissionInput!) {
      revokePermission(input: $input) {
        user {
          ...PersonRow
        }
      }
    }
  `,
  [PERSON],
);
