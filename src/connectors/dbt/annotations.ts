/** What people wrote beside the SQL: owners, certification and tags. */
import { z } from "zod";

import { CERTIFICATIONS } from "../../catalog/asset.ts";
import type { Certification } from "../../catalog/asset.ts";
import type { NodeFacts } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import { warningEvent } from "./faults.ts";
import { ownerShape } from "./shapes.ts";
import type { DbtOwner, Meta } from "./shapes.ts";

const email = z.email();

type Ownership = Pick<NodeFacts, "owner" | "ownerName">;

/** An e-mail address, wherever it stands, is the owner; what else is said is the owner's name. */
export function toOwnership(owner: DbtOwner): Ownership {
  const words = [...owner.email, owner.name].map((word) => word.trim());
  const address = words.find((word) => email.safeParse(word).success) ?? "";
  return { owner: address, ownerName: words.toReversed().find((word) => word !== "" && word !== address) ?? "" };
}

/** dbt's `config.meta` is the newer place for what `meta` says. */
export function metaOf(node: { meta: Meta; config: { meta: Meta } }): Meta {
  return { ...node.meta, ...node.config.meta };
}

/** The owner that `meta` names, else the owner of the group. */
export function ownershipOf(meta: Meta, group: DbtOwner | undefined): Ownership {
  const named = ownerShape.safeParse(meta["owner"]);
  const owner = named.success ? named.data : null;
  if (owner !== null) return toOwnership(owner);
  return group === undefined ? { owner: "", ownerName: "" } : toOwnership(group);
}

/** A node's own tags and those of its configuration, each once. */
export function tagsOf(node: { tags: string[]; config: { tags: string[] } }): string[] {
  return [...new Set([...node.tags, ...node.config.tags])];
}

/** Dates are written by hand: `2026-05-01` as well as a timestamp, which is UTC where it names no offset. */
const timestamp = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })])
  .transform((date) =>
    new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(date) || !date.includes("T") ? date : `${date}Z`).toISOString(),
  );

type Certified = Pick<NodeFacts, "certification" | "certifiedBy" | "certifiedAt">;

/**
 * Reads `meta.certification`, `meta.certified_by` and `meta.certified_at`.
 * @returns the facts, and a warning for each value that is none of those allowed
 */
export function certificationOf(
  meta: Meta,
  object: string,
  allowed: readonly Certification[] = CERTIFICATIONS,
): { facts: Certified; warnings: CrawlEvent[] } {
  const warnings: CrawlEvent[] = [];
  const read = <T>(key: string, shape: z.ZodType<T>, fault: string): T | null => {
    const parsed = shape.nullish().safeParse(meta[key]);
    if (parsed.success) return parsed.data ?? null;
    const message = `meta.${key} of ${object} is ${JSON.stringify(meta[key])}, which is ${fault}; it is ignored.`;
    warnings.push(warningEvent({ code: "invalid_certification", object, stage: "parse", message }));
    return null;
  };
  const facts = {
    certification: read("certification", z.enum(allowed), `none of ${allowed.join(", ")}`),
    certifiedBy: read("certified_by", email, "no e-mail address"),
    certifiedAt: read("certified_at", timestamp, "no ISO 8601 date"),
  };
  return { facts, warnings };
}
