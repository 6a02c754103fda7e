/** People by name: whatever is told of who owns, certified or changed something comes with how that person is called. */
import { isEmailAddress } from "../catalog/email.ts";
import { builder, objectType, queryField, typedOrNull } from "./builder.ts";
import { createLoader } from "./loaders.ts";

/** An e-mail address, or the name of a team or program; and the name that the same record states, or "". */
export interface Person {
  text: string;
  stated: string;
}

/** The name of each person, by address; "" if none is known. The names of users come before those that sources state. */
const namesOf = createLoader(
  async ({ services, graph }, ws, addresses: readonly string[]) => {
    const own = await services.metadata.users.loadNames(ws, addresses);
    const unnamed = addresses.filter((_, i) => own[i] === "");
    const stated = await graph.loadOwnerNames(ws, unnamed);
    const names = new Map(unnamed.map((address, i) => [address, stated[i] ?? ""]));
    return addresses.map((address, i) => own[i] || (names.get(address) ?? ""));
  },
  { cacheKeyFn: (address) => address.toLowerCase() },
);

export const PersonType = objectType<Person>("Person", "A person, a team, or a program such as `connector shop`.").with(
  {
    address: {
      ...typedOrNull("String", "The person's e-mail address; null if there is none."),
      resolve: ({ text }) => (isEmailAddress(text) ? text : null),
    },
    name: {
      type: "String",
      description:
        "The name, the same wherever the address is: that of the workspace's user, or else the first that a source states, or else the address.",
      resolve: async ({ text, stated }, _args, context) =>
        (isEmailAddress(text) ? await namesOf(context).load(text) : "") || stated || text,
    },
  },
);

/** @param text an e-mail address or a name; "" or null for nobody */
export function toPerson(text: string | null, stated = ""): Person | null {
  return text || stated ? { text: text || stated, stated } : null;
}

queryField("person", "read", {
  ...typedOrNull(PersonType, "Whom a filter means, by name; null for an empty text."),
  args: builder.args((t) => ({
    named: t.string({ required: true, description: "An e-mail address, or the name of a team." }),
  })),
  resolve: (_root, { named }) => toPerson(named),
});

/** A field with the owner's name as one record states it. */
export const OWNER_NAME = {
  nullable: true,
  description:
    "The owner's name as this record states it, or an owner that is no e-mail address; null if it states none. `ownedBy` has the name that is the same everywhere.",
  resolve: ({ ownerName }: { ownerName: string }) => ownerName || null,
} as const;

/** A field with whoever certified something. */
export const CERTIFIER = {
  type: PersonType,
  nullable: true,
  description: "The person who certified it, by name; null if nobody is known.",
  resolve: ({ certifiedBy }: { certifiedBy: string | null }) => toPerson(certifiedBy),
} as const;

/** A field with the owner of something. */
export const OWNED_BY = {
  type: PersonType,
  nullable: true,
  description:
    "The owner by name; null if there is none. A column has the owner of its table in answers about a change.",
  resolve: ({ owner, ownerName }: { owner: string; ownerName: string }) => toPerson(owner, ownerName),
} as const;
