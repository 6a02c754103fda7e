/** Completes the field of an owner with the people and teams that own something already. */
import { useQuery } from "urql";

import { using } from "../graphql/graphql.ts";
import { PERSON } from "./asset-row.ts";

const OWNERS = using(PERSON).gql(
  "query KnownOwners { assets(first: 1) { facets { owners { person { ...PersonName } } } } }",
);

/** @param id what the field has as its `list` */
export function KnownOwners({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: OWNERS });
  return (
    <datalist id={id}>
      {(data?.assets?.facets.owners ?? []).map(({ person }) => {
        const address = person?.address;
        return (
          address && (
            <option key={address} value={address}>
              {person.name}
            </option>
          )
        );
      })}
    </datalist>
  );
}
