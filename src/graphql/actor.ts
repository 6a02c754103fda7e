/** The person or program that a token belongs to, and that the audit trail names. */
import type { Actor } from "../auth/principal.ts";
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
export async function loadActor(id: string, { loaders }: GraphqlContext): Promise<Actor | null> {
  const [user, account] = await Promise.all([loaders.users.load(id), loaders.accounts.load(id)]);
  if (user !== null) return { kind: "user", id, name: user.email };
  return account === null ? null : { kind: "account", id, name: account.name };
}
