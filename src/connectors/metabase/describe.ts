/** What people wrote about a card or dashboard: its name, description, owner, collection and so on. */
import { isEmailAddress } from "../../catalog/email.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { withoutEmpty } from "../shapes.ts";
import type { Collection } from "./collections.ts";
import type { Card, Dashboard, Person } from "./shapes.ts";

export interface Context {
  /** The address of Metabase. */
  url: URL;
  collection: Collection | null;
  owner: Person | null;
}

/** @param page its path in Metabase, such as `question/12` */
export function describeEntity(
  entity: Card | Dashboard,
  page: string,
  { url, collection, owner }: Context,
): Omit<AssetStatement["facts"], "sourceId"> {
  const edited = entity["last-edit-info"];
  const path = collection?.path ?? [];
  return {
    description: entity.description,
    tags: path,
    ...ownershipOf(owner),
    ...certificationOf(entity),
    url: new URL(page, url.href.endsWith("/") ? url : `${url.href}/`).href,
    meta: withoutEmpty({
      metabase_id: entity.id,
      entity_id: entity.entity_id,
      collection: path.join("/"),
      created_at: entity.created_at,
      updated_at: entity.updated_at,
      last_edited_at: edited?.timestamp ?? "",
      last_edited_by: edited?.email ?? "",
    }),
  };
}

/** A name that can be stored: without line breaks and other control characters. */
export function toName(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
}

function ownershipOf(person: Person | null): { owner: string; ownerName: string } {
  if (person === null) return { owner: "", ownerName: "" };
  const { email, first_name: first, last_name: last } = person;
  const name = person.common_name || [first, last].filter((part) => part !== "").join(" ");
  // The user of an API key has an address that nobody reads.
  const isReal = isEmailAddress(email) && !email.endsWith(".invalid");
  return { owner: isReal ? email : "", ownerName: name };
}

/** Metabase's own sign that somebody verified the content. */
function certificationOf({
  moderation_reviews: reviews,
}: Card | Dashboard): Pick<AssetStatement["facts"], "certification" | "certifiedBy" | "certifiedAt"> {
  const last = reviews.find(({ most_recent: isLast }) => isLast);
  if (last?.status !== "verified") return {};
  const email = last.user?.email ?? "";
  const isTime = !Number.isNaN(Date.parse(last.created_at));
  return {
    certification: "certified",
    certifiedBy: isEmailAddress(email) ? email : null,
    certifiedAt: isTime ? last.created_at : null,
  };
}
