/** The records of people who log in: sessions, one-time links, and identities at the provider. */
import type { LinkId, SessionId, UserId, WorkspaceId } from "../ids.ts";
import type { Role } from "./records.ts";

/** A person at the identity provider (OpenID Connect Core 1.0, section 2). Only both together are unique. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** A person who is logged in with a browser. */
export interface Session {
  id: SessionId;
  workspaceId: WorkspaceId;
  userId: UserId;
  /** The address that the person logged in from. */
  source: string;
  /** What the browser said of itself, shortened. */
  userAgent: string;
  /** Whether the person came by single sign-on. */
  sso: boolean;
  /**
   * The same person's users in all workspaces that this login opened. It no longer opens a user whose sessions were all
   * ended since then.
   */
  userIds: UserId[];
  createdAt: string;
  /** When it was last used, to a few minutes. */
  seenAt: string;
  /** When it ends at the latest. */
  expiresAt: string;
}

export type LinkKind = "first_admin" | "invitation" | "reset";

/** A link that sets a password once. */
export interface LoginLink {
  id: LinkId;
  workspaceId: WorkspaceId;
  kind: LinkKind;
  /** Null: the person who uses the link gives an address. */
  email: string | null;
  role: Role;
  /** The admin who made the link. Null: the service made it. */
  createdBy: UserId | null;
  createdAt: string;
  expiresAt: string;
}
