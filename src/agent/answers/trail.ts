/** How a metric came to be certified, or ceased to be, from its trail. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { CertificationStep } from "../../catalog/certification.ts";
import type { Fact } from "../answer.ts";
import { cite, day, named, plain, quote } from "./words.ts";

const ENDED: Readonly<Partial<Record<CertificationStep["action"], (step: CertificationStep) => string>>> = {
  withdraw: ({ actor, at }) => `${plain(actor)} withdrew it on ${day(at)}`,
  decay: ({ at }) => `it lapsed by itself on ${day(at)}, since what it stands on changed`,
  retract: ({ at }) => `its source took it back by ${day(at)}`,
};

/** Null where nothing is recorded that says more than how it stands. */
export function sayTrail(node: CatalogNode, steps: readonly CertificationStep[]): Fact | null {
  const last = steps.at(-1);
  if (last === undefined || (last.to === "certified") !== (node.certification === "certified")) return null;
  const noted = last.note === "" ? "" : ` The note on it: ${quote(last.note)}.`;
  if (last.to === "certified") {
    return noted === "" ? null : { text: noted.trim(), about: [cite(node, `${node.fqn}: ${last.note}`)] };
  }
  const before = steps.findLast(({ to }) => to === "certified");
  const was = before === undefined ? "" : `It was certified by ${plain(before.actor)} on ${day(before.at)}; `;
  const how = ENDED[last.action]?.(last) ?? `that ended on ${day(last.at)}`;
  const text = was === "" ? `${named(node)}: ${how}.` : `${was}${how}.`;
  return { text: text + noted, about: [cite(node, `${node.fqn}: ${last.action} on ${day(last.at)}: ${last.note}`)] };
}
