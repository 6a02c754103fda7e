/** Reads what people wrote in YAML: owners, certification and tags. */
import { z } from "zod";

import { type Certification, CERTIFICATIONS } from "../../catalog/asset.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import { warningEvent } from "../faults.ts";
import { type DbtOwner, type described, type Meta, ownerShape } from "./shapes.ts";

const email = z.email();

type Ownership = Pick<NodeFacts, "owner" | "ownerName">;

/** The first e-mail address in any field is the owner. The other text is the owner's name. */
export function toOwnership(owner: DbtOwner): Ownership {
  const words = [...owner.email, owner.name].map((word) => word.trim());
  const address = words.find((word) => email.safeParse(word).success) ?? "";
  return { owner: address, ownerName: words.toReversed().find((word) => word !== "" && word !== address) ?? "" };
}

/** The owner named in `meta`. If there is none, the owner of the group. */
function ownershipOf(meta: Meta, group: DbtOwner | undefined): Ownership {
  const named = ownerShape.safeParse(meta["owner"]);
  const owner = (named.success ? named.data : null) ?? group;
  return owner === undefined ? { owner: "", ownerName: "" } : toOwnership(owner);
}

type Annotated = Pick<
  z.infer<z.ZodObject<typeof described>>,
  "description" | "meta" | "tags" | "config" | "group" | "package_name"
>;

/**
 * What people wrote about a node in YAML.
 * Yields a warning for each value that is not allowed.
 * @param groups owners by the unique ids of groups
 */
export function* annotationsOf(
  id: string,
  node: Annotated,
  groups: ReadonlyMap<string, DbtOwner>,
  allowed: readonly Certification[] = CERTIFICATIONS,
) {
  // Newer versions of dbt use `config.meta`.
  const meta: Meta = { ...node.meta, ...node.config.meta };
  const certified = yield* certificationOf(meta, id, allowed);
  const tags = [...new Set([...node.tags, ...node.config.tags])];
  const group = groups.get(`group.${node.package_name}.${node.config.group || node.group}`);
  return { description: node.description, tags, ...certified, ...ownershipOf(meta, group), meta };
}

/** People write a date, such as `2026-05-01`, or a timestamp. A timestamp without an offset is UTC. */
const timestamp = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })])
  .transform((date) =>
    new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(date) || !date.includes("T") ? date : `${date}Z`).toISOString(),
  );

/** Reads `meta.certification`, `meta.certified_by` and `meta.certified_at`. */
function* certificationOf(meta: Meta, object: string, allowed: readonly Certification[]) {
  function* read<T>(key: string, shape: z.ZodType<T>, fault: string): Generator<CrawlEvent, T | null> {
    const parsed = shape.nullish().safeParse(meta[key]);
    if (parsed.success) return parsed.data ?? null;
    const message = `meta.${key} of ${object} is ${JSON.stringify(meta[key])}, which is ${fault}; it is ignored.`;
    yield warningEvent({ code: "invalid_certification", object, stage: "parse", message });
    return null;
  }
  return {
    certification: yield* read("certification", z.enum(allowed), `none of ${allowed.join(", ")}`),
    certifiedBy: yield* read("certified_by", email, "not an e-mail address"),
    certifiedAt: yield* read("certified_at", timestamp, "not an ISO 8601 date"),
  };
}
