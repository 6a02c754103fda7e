/** The person or program that a token belongs to, and that the audit trail names. */
import type { Actor } from "../auth/principal.ts";
import type { AccountId, UserId } from "../ids.ts";
import { isUserId } from "../metadata/ids.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { ActorKind } from "./enums.ts";

export const ActorType = builder.objectRef<Actor>("Actor").implement({
  description: "A user or a service account.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Its id." }),
    kind: t.expose("kind", { type: ActorKind, description: "A person or a program." }),
    name: t.exposeString("name", { description: "The e-mail address of a user, or the name of a service account." }),
  }),
});

/** Finds the user or service account with an id, such as a key's `createdBy`; null if there is none any more. */
export async function loadActor(id: UserId | AccountId, { loaders }: GraphqlContext): Promise<Actor | null> {
  if (isUserId(id)) {
    const user = await loaders.users.load(id);
    return user && { kind: "user", id, name: user.email };
  }
  const account = await loaders.accounts.load(id);
  return account && { kind: "account", id, name: account.name };
}
