import { PERSON } from "../../../assets/asset-row.ts";
import { type FragmentOf, gql, mutation, using } from "../../../graphql/graphql.ts";

const API_KEY = using(PERSON).gql(`fragment ApiKeyRow on ApiKey {
  id name prefix scopes networks createdAt expiresAt revokedAt lastUsedAt
  createdBy { name person { ...PersonName } }
}`);

export type ApiKeyRow = FragmentOf<typeof API_KEY>;

export const ASKER = gql("query Asker { viewer { id scopes mayManageKeys } }");

export const WORKSPACE_KIND = gql("query WorkspaceKind { workspace { id kind } }");

export const API_KEYS = using(API_KEY).gql(`query ApiKeys($after: String) {
  apiKeys(first: 200, after: $after) { nodes { ...ApiKeyRow } pageInfo { nextCursor } }
}`);

export const CREATE_KEY = mutation("createApiKey", "token apiKey { ...ApiKeyRow }", [API_KEY]);

export const RENAME_KEY = mutation("renameApiKey", "apiKey { id name }");

export const REVOKE_KEY = mutation("revokeApiKey", "apiKey { id revokedAt }");

const SERVICE_ACCOUNT = gql(`fragment ServiceAccountRow on ServiceAccount {
  id name role clientId createdAt disabledAt
  secrets { id createdAt expiresAt lastUsedAt revokedAt }
}`);

export type ServiceAccountRow = FragmentOf<typeof SERVICE_ACCOUNT>;

export const SERVICE_ACCOUNTS = using(SERVICE_ACCOUNT).gql(`query ServiceAccounts($after: String) {
  serviceAccounts(first: 50, after: $after) { nodes { ...ServiceAccountRow } pageInfo { nextCursor } }
}`);

export const CREATE_ACCOUNT = mutation("createServiceAccount", "clientId clientSecret serviceAccount { id name }");

export const SECURITY = gql(`query Security {
  securitySettings { rateLimitPerMinute allowlist maxTokenLifetimeSeconds }
}`);

export const FORECAST = gql(`query LifetimeForecast($seconds: Int!) {
  lifetimeForecast(seconds: $seconds) {
    endNow { apiKeys accessTokens }
    endSooner { apiKeys accessTokens }
    firstEnd
  }
}`);

export const SET_LIFETIME = mutation("setMaxTokenLifetime", "securitySettings { maxTokenLifetimeSeconds }");

export const SET_ALLOWLIST = mutation("setAllowlist", "securitySettings { allowlist }");

export const SET_RATE_LIMIT = mutation("setRateLimit", "securitySettings { rateLimitPerMinute }");

export const REVOKE_ALL = gql("mutation RevokeAll { revokeAllTokens { apiKeys accessTokens sessions } }");
