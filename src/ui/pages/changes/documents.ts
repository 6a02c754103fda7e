import { PERSON } from "../../assets/asset-row.ts";
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

/** Kinds of changes in words. */
export const KINDS: Readonly<Record<ChangeKind, string>> = {
  asset_added: "added",
  asset_removed: "removed",
  asset_renamed: "renamed",
  type_changed: "other asset type",
  column_added: "column added",
  column_removed: "column removed",
  column_retyped: "other data type",
  sql_changed: "new SQL",
  description_changed: "description",
  owner_changed: "owner",
  tags_changed: "tags",
  certification_changed: "certification",
  edge_added: "reads more",
  edge_removed: "reads less",
  check_failed: "check failed",
  check_passed: "check passed again",
  schedule_missed: "schedule missed",
  schedule_met: "on schedule again",
};

/** @param text from the address */
export function toKinds(text: string | null): ChangeKind[] | null {
  const kinds = Object.keys(KINDS).filter((kind): kind is ChangeKind => kind === text);
  return kinds.length === 0 ? null : kinds;
}
