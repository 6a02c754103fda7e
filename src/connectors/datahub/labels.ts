/** What every asset may have: owners, tags, terms, domains, links and a place in folders. */
import { isEmailAddress } from "../../catalog/email.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import { withoutEmpty } from "../shapes.ts";
import type { Aspects } from "./aspects.ts";
import type { Entity } from "./entity.ts";
import { lastPart } from "./urn.ts";

type Labels = Pick<Aspects, "globalTags" | "glossaryTerms" | "domains">;

/** Names of what assets refer to: people, groups, tags, terms, domains and containers. */
export type Directory = ReturnType<typeof createDirectory>;

/** Containers in each other, at most. A loop of containers ends here too. */
const MAX_CONTAINERS = 20;

export function createDirectory(entities: readonly Entity[]) {
  const known = new Map(entities.map(({ urn, aspects }) => [urn, aspects]));
  const nameOf = (urn: string): string => {
    const { tagProperties, glossaryTermInfo, domainProperties } = known.get(urn) ?? {};
    return tagProperties?.name || glossaryTermInfo?.name || domainProperties?.name || lastPart(urn);
  };
  return {
    person(urn: string): { email: string; name: string } {
      const { corpUserEditableInfo: edited, corpUserInfo: user, corpGroupInfo: group } = known.get(urn) ?? {};
      const id = lastPart(urn);
      const email = [edited?.email, user?.email, group?.email, id].find((each) => isEmailAddress(each ?? ""));
      const name = edited?.displayName || user?.displayName || user?.fullName || group?.displayName;
      return { email: email ?? "", name: name || (id === email ? "" : id) };
    },
    /** Tags, and terms and domains with a prefix that tells them from tags. */
    tagsOf({ globalTags, glossaryTerms, domains }: Labels): string[] {
      return [
        ...new Set([
          ...(globalTags?.tags ?? []).map(({ tag }) => nameOf(tag)),
          ...(glossaryTerms?.terms ?? []).map(({ urn }) => `term:${nameOf(urn)}`),
          ...(domains?.domains ?? []).map((urn) => `domain:${nameOf(urn)}`),
        ]),
      ];
    },
    /** The names of the containers around an asset, the outermost first. */
    pathOf({ container }: Aspects): string[] {
      const names: string[] = [];
      let at = container?.container;
      while (at !== undefined && names.length < MAX_CONTAINERS) {
        const { containerProperties, container: outer } = known.get(at) ?? {};
        names.unshift(containerProperties?.name || lastPart(at));
        at = outer?.container;
      }
      return names;
    },
  };
}

/** What kind of thing the entity is, such as `external_table`. */
export function kindOf({ subTypes }: Aspects, otherwise = ""): string {
  return fold(subTypes?.typeNames[0] ?? otherwise).replaceAll(/\s+/g, "_");
}

/** Where the asset has its own properties. */
export interface Described {
  description: string;
  externalUrl: string;
  customProperties: Readonly<Record<string, string>>;
}

/**
 * @param described what the tool says
 * @param edited the description that people wrote in DataHub, which comes first
 */
export function stateLabels(
  { urn, aspects }: Entity,
  directory: Directory,
  described: Described | undefined,
  edited: string | null | undefined,
): AssetStatement["facts"] {
  const { ownership, institutionalMemory, deprecation } = aspects;
  const [first, ...others] = (ownership?.owners ?? []).map(({ owner }) => directory.person(owner));
  const links = (institutionalMemory?.elements ?? []).map(({ url, description }) => ({ url, description }));
  const { customProperties: properties = {} } = described ?? {};
  const isDeprecated = deprecation?.deprecated === true;
  const told = withoutEmpty({
    urn,
    container: directory.pathOf(aspects).join(" / "),
    other_owners: others.map(({ email, name }) => email || name),
    links,
    deprecation: isDeprecated ? deprecation.note : "",
    properties,
  });
  return {
    sourceId: urn,
    description: edited || described?.description || "",
    owner: first?.email ?? "",
    ownerName: first?.name ?? "",
    tags: directory.tagsOf(aspects),
    url: described?.externalUrl || null,
    certification: isDeprecated ? "deprecated" : null,
    // Under one key, so that it replaces nothing that another connector says.
    meta: { datahub: told },
  };
}
