/** The person or program that a token belongs to, and that the audit trail names. */
import type { Actor } from "../auth/principal.ts";
import type { AccountId, UserId } from "../ids.ts";
import { isUserId } from "../metadata/ids.ts";
import { objectType, typed, typedOrNull } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { ActorKind } from "./enums.ts";
import { findById } from "./loaders.ts";
import { ServiceAccountType } from "./service-account.ts";
import { UserType } from "./user.ts";
import { PersonType, toPerson } from "./person.ts";

export const ActorType = objectType<Actor>("Actor", "A user or a service account.").with({
  id: typed("ID", "Its id."),
  kind: typed(ActorKind, "A person or a program."),
  person: {
    ...typedOrNull(PersonType, "The user by name; null for a service account."),
    resolve: ({ kind, name }) => (kind === "user" ? toPerson(name) : null),
  },
  name: typed("String", "The e-mail address of a user, or the name of a service account."),
});

/** Finds the user or service account with an id, such as a key's `createdBy`; null if there is none any more. */
export async function loadActor(id: UserId | AccountId, context: GraphqlContext): Promise<Actor | null> {
  if (isUserId(id)) {
    const user = await findById(UserType, id, context);
    return user && { kind: "user", id, name: user.email };
  }
  const account = await findById(ServiceAccountType, id, context);
  return account && { kind: "account", id, name: account.name };
}
