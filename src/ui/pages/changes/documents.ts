import { PERSON } from "../../assets/person.ts";
import { type ResultOf, using } from "../../graphql/graphql.ts";

export const CHANGES = using(PERSON).gql(`query Changes(
  $since: String, $until: String, $kinds: [CatalogChangeKind!], $about: ID, $owner: EmailAddress, $tag: String,
  $connector: String, $after: String
) {
  changes(
    since: $since, until: $until, kinds: $kinds, about: $about, owner: $owner, tag: $tag, connector: $connector,
    first: 20, after: $after
  ) {
    nodes {
      id at kind
      asset { id name fqn type node { id } }
      other { id fqn }
      actor
      by { ...PersonName }
      sync { id connectorId connector }
      field before after check risk cause
      details { kind id name before after }
    }
    pageInfo { nextCursor }
  }
}`);

export type Change = NonNullable<ResultOf<typeof CHANGES>["changes"]>["nodes"][number];
export type ChangeKind = Change["kind"];
