/** Whether an asset meets a condition that what is known of it decides. */
import { fold } from "../../catalog/text.ts";
import type { Thing } from "../catalog.ts";
import type { Condition, DbtKind } from "../plan.ts";

export function kindOf({ type, materialization }: Thing): DbtKind | null {
  if (materialization === "seed" || materialization === "snapshot") return materialization;
  if (type === "table") return "source";
  return type === "model" ? "model" : null;
}

export function saysAll({ name, displayName, description, tags }: Thing, words: string): boolean {
  const text = fold([name, displayName, description, ...tags].join(" "));
  return words.split(/\s+/).every((word) => text.includes(fold(word)));
}

/** Conditions that what is known of a thing decides. */
export function isMet(condition: Condition, thing: Thing): boolean {
  switch (condition.is) {
    case "certification":
      return condition.any.includes(thing.certification);
    case "certified by":
      return fold(thing.certifiedBy ?? "") === fold(condition.who);
    case "owner": {
      const owners = new Set(condition.any.map(fold));
      return [thing.owner, thing.ownerName].some((owner) => owner !== "" && owners.has(fold(owner)));
    }
    case "tag":
      return thing.tags.some((tag) => condition.any.map(fold).includes(fold(tag)));
    case "schema":
      return condition.any.some((schema) => isIn(thing.fqn, schema));
    case "connector":
      return thing.connectors.some((connector) => condition.any.includes(connector));
    case "materialization":
      return condition.any.includes(thing.materialization);
    case "kind": {
      const kind = kindOf(thing);
      return kind !== null && condition.any.includes(kind);
    }
    case "data type":
      return condition.any.some((type) => fold(thing.dataType).startsWith(fold(type)));
    case "name":
      return condition.any.map(fold).some((name) => name === fold(thing.name) || name === fold(thing.displayName));
    case "name part":
      return condition.any
        .map(fold)
        .some((part) => (condition.begins ? fold(thing.name).startsWith(part) : fold(thing.name).includes(part)));
    case "date": {
      const at = (condition.of === "certified" ? thing.certifiedAt : thing.updatedAt)?.slice(0, 10) ?? "";
      return at !== "" && at >= (condition.from ?? "") && at <= (condition.to ?? "9999");
    }
    default:
      return false;
  }
}

/** Whether a part of the fully qualified name, other than the last, is this; of several parts, whether they follow each other. */
function isIn(fqn: string, schema: string): boolean {
  const place = fold(fqn).split(".").slice(0, -1);
  return `.${place.join(".")}.`.includes(`.${fold(schema)}.`);
}
