/** Ids of the metadata store's records. */
import type { RandomBytes } from "../clock.ts";
import type {
  AccountId,
  ConnectorId,
  LinkId,
  NoticeId,
  NoticeRuleId,
  SecretId,
  SessionId,
  SyncId,
  TokenId,
  UserId,
  WorkspaceId,
} from "../ids.ts";

/** What each prefix is the beginning of. */
export interface Ids {
  ws: WorkspaceId;
  usr: UserId;
  acc: AccountId;
  sec: SecretId;
  key: TokenId;
  tok: TokenId;
  ses: SessionId;
  lnk: LinkId;
  aud: string;
  con: ConnectorId;
  syn: SyncId;
  sto: string;
  nrl: NoticeRuleId;
  ntc: NoticeId;
  nev: string;
}

export type IdPrefix = keyof Ids;

/** 128 random bits in hexadecimal after a prefix for the kind of record, such as `con_5f0c…`. */
export function newId<Prefix extends IdPrefix>(prefix: Prefix, random: RandomBytes): Ids[Prefix] {
  return `${prefix}_${random(16).toString("hex")}` as Ids[Prefix];
}

/** Tells a session from a key or an access token. */
export function isSessionId(id: TokenId | SessionId): id is SessionId {
  return id.startsWith("ses_");
}

/** Tells a user from a service account. Both own tokens. */
export function isUserId(id: UserId | AccountId): id is UserId {
  return id.startsWith("usr_");
}
