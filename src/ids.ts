/**
 * The kinds of ids. Each is a type of its own, so that the compiler refuses one instead of another. When the
 * service runs, an id is a plain string.
 *
 * The functions turn a text from outside into an id: an argument of a client, or a column of a row. They check nothing,
 * because a text that is no id is found nowhere. Ids that the service makes come from `catalog/identity.ts` and
 * `metadata/ids.ts`.
 */
import type { core } from "zod";

/** What `z.string().brand<Kind>()` yields. */
type Id<Kind extends string> = string & core.$brand<Kind>;

/** A text that is not an id of any kind yet. */
type Text = string & { readonly [core.$brand]?: never };

/** The id of a workspace, such as `ws_5f0c…`. Both stores keep what belongs to a workspace under its id. */
export type WorkspaceId = Id<"WorkspaceId">;
/** The unique name of a workspace. The ids of its nodes are made from it. */
export type WorkspaceName = Id<"WorkspaceName">;
/** The id of a node of the graph: an asset, a column or a metric. See `nodeId` in `catalog/identity.ts`. */
export type NodeId = Id<"NodeId">;
export type ConnectorId = Id<"ConnectorId">;
export type SyncId = Id<"SyncId">;
export type UserId = Id<"UserId">;
/** The id of a service account. For OAuth it uses another one, its client id. */
export type AccountId = Id<"AccountId">;
/** The id of a client secret of a service account. */
export type SecretId = Id<"SecretId">;
/** The id of an API key or of an access token. */
export type TokenId = Id<"TokenId">;
/** The id of a person's session in a browser. */
export type SessionId = Id<"SessionId">;
/** The id of a one-time link. */
export type LinkId = Id<"LinkId">;
/** The id of a notice rule. */
export type NoticeRuleId = Id<"NoticeRuleId">;
/** The id of a notice: a message that a notice rule sends. */
export type NoticeId = Id<"NoticeId">;

function fromText<T extends Id<string>>() {
  return (text: Text): T => text as string as T;
}

export const toWorkspaceId = fromText<WorkspaceId>();
export const toWorkspaceName = fromText<WorkspaceName>();
export const toNodeId = fromText<NodeId>();
export const toConnectorId = fromText<ConnectorId>();
export const toSyncId = fromText<SyncId>();
export const toUserId = fromText<UserId>();
export const toAccountId = fromText<AccountId>();
export const toSecretId = fromText<SecretId>();
export const toTokenId = fromText<TokenId>();
export const toSessionId = fromText<SessionId>();
export const toLinkId = fromText<LinkId>();
export const toNoticeRuleId = fromText<NoticeRuleId>();
export const toNoticeId = fromText<NoticeId>();
