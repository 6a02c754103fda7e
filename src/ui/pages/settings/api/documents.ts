import { type FragmentOf, graphql } from "../../../graphql/graphql.ts";

const API_KEY = graphql(`
  fragment ApiKeyRow on ApiKey {
    id
    name
    prefix
    scopes
    createdAt
    expiresAt
    revokedAt
    lastUsedAt
    createdBy {
      name
    }
  }
`);

export type ApiKeyRow = FragmentOf<typeof API_KEY>;

export const ASKER = graphql(`
  query Asker {
    viewer {
      id
      scopes
      mayManageKeys
      workspaceName
    }
  }
`);

export const WORKSPACE_KIND = graphql(`
  query WorkspaceKind {
    workspace {
      id
      kind
    }
  }
`);

export const API_KEYS = graphql(
  `
    query ApiKeys($after: String) {
      apiKeys(first: 200, after: $after) {
        nodes {
          ...ApiKeyRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [API_KEY],
);

export const CREATE_KEY = graphql(
  `
    mutation CreateKey($input: CreateApiKeyInput!) {
      createApiKey(input: $input) {
        token
        apiKey {
          ...ApiKeyRow
        }
      }
    }
  `,
  [API_KEY],
);

export const RENAME_KEY = graphql(`
  mutation RenameKey($input: RenameApiKeyInput!) {
    renameApiKey(input: $input) {
      apiKey {
        id
        name
      }
    }
  }
`);

export const REVOKE_KEY = graphql(`
  mutation RevokeKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) {
      apiKey {
        id
        revokedAt
      }
    }
  }
`);

const SERVICE_ACCOUNT = graphql(`
  fragment ServiceAccountRow on ServiceAccount {
    id
    name
    role
    clientId
    createdAt
    disabledAt
    secrets {
      id
      createdAt
      lastUsedAt
      revokedAt
    }
  }
`);

export type ServiceAccountRow = FragmentOf<typeof SERVICE_ACCOUNT>;

export const SERVICE_ACCOUNTS = graphql(
  `
    query ServiceAccounts($after: String) {
      serviceAccounts(first: 50, after: $after) {
        nodes {
          ...ServiceAccountRow
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [SERVICE_ACCOUNT],
);

export const CREATE_ACCOUNT = graphql(`
  mutation CreateAccount($input: CreateServiceAccountInput!) {
    createServiceAccount(input: $input) {
      clientId
      clientSecret
      serviceAccount {
        id
        name
      }
    }
  }
`);

export const ROTATE_SECRET = graphql(`
  mutation RotateSecret($input: RotateClientSecretInput!) {
    rotateClientSecret(input: $input) {
      clientSecret
      secret {
        id
      }
    }
  }
`);

export const REVOKE_SECRET = graphql(`
  mutation RevokeSecret($input: RevokeClientSecretInput!) {
    revokeClientSecret(input: $input) {
      secret {
        id
        revokedAt
      }
    }
  }
`);

export const REMOVE_ACCOUNT = graphql(`
  mutation RemoveAccount($input: RemoveServiceAccountInput!) {
    removeServiceAccount(input: $input) {
      id
    }
  }
`);

export const REVOKE_ACCOUNT_TOKENS = graphql(`
  mutation RevokeAccountTokens($input: RevokeServiceAccountTokensInput!) {
    revokeServiceAccountTokens(input: $input) {
      revoked
    }
  }
`);

export const SET_ACCOUNT_DISABLED = graphql(`
  mutation SetAccountDisabled($input: SetServiceAccountDisabledInput!) {
    setServiceAccountDisabled(input: $input) {
      serviceAccount {
        id
        disabledAt
      }
    }
  }
`);

export const SET_ACCOUNT_ROLE = graphql(`
  mutation SetAccountRole($input: SetServiceAccountRoleInput!) {
    setServiceAccountRole(input: $input) {
      serviceAccount {
        id
        role
      }
    }
  }
`);

export const SECURITY = graphql(`
  query Security {
    securitySettings {
      rateLimitPerMinute
      allowlist
      maxTokenLifetimeSeconds
    }
  }
`);

export const FORECAST = graphql(`
  query LifetimeForecast($seconds: Int!) {
    lifetimeForecast(seconds: $seconds) {
      endNow {
        apiKeys
        accessTokens
      }
      endSooner {
        apiKeys
        accessTokens
      }
      firstEnd
    }
  }
`);

export const SET_LIFETIME = graphql(`
  mutation SetLifetime($input: SetMaxTokenLifetimeInput!) {
    setMaxTokenLifetime(input: $input) {
      securitySettings {
        maxTokenLifetimeSeconds
      }
    }
  }
`);

export const SET_ALLOWLIST = graphql(`
  mutation SetAllowlist($input: SetAllowlistInput!) {
    setAllowlist(input: $input) {
      securitySettings {
        allowlist
      }
    }
  }
`);

export const SET_RATE_LIMIT = graphql(`
  mutation SetRateLimit($input: SetRateLimitInput!) {
    setRateLimit(input: $input) {
      securitySettings {
        rateLimitPerMinute
      }
    }
  }
`);

export const REVOKE_ALL = graphql(`
  mutation RevokeAll {
    revokeAllTokens {
      apiKeys
      accessTokens
      sessions
    }
  }
`);
