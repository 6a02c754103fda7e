/** What is asked of a person or team, wherever one is named. */
import { useQuery } from "urql";

import { type FragmentOf, gql, using } from "../graphql/graphql.ts";

export const PERSON = gql("fragment PersonName on Person { address name }");

export type Person = FragmentOf<typeof PERSON>;

const PERSON_NAMED = using(PERSON).gql(
  "query PersonNamed($named: String!) { person(named: $named) { ...PersonName } }",
);

/** @param named an e-mail address or a name, as a filter takes it; null for nobody */
export function usePerson(named: string | null): Person | null {
  const [{ data }] = useQuery({ query: PERSON_NAMED, variables: { named: named ?? "" }, pause: named === null });
  if (named === null) return null;
  return data?.person ?? { address: null, name: named };
}

/** Names a person in a URL or as a key; "" for nobody. */
export function personKey(of: Person | null): string {
  return of?.address?.toLowerCase() ?? of?.name ?? "";
}

/** What an address says of a filter by owner for whatever has none. */
export const NO_OWNER = "none";

/** @returns the variable of a list's owner: null for what has no owner, and no variable for whatever the owner is */
export function ownedBy(owner: string | null | undefined): { owner?: string | null } {
  return owner == null ? {} : { owner: owner === NO_OWNER ? null : owner };
}
