/** The checks that a change would let fail. */
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";

import type { FailingCheck, FailingChecks } from "../catalog/impact.ts";
import { builder } from "./builder.ts";
import { CheckType } from "./check.ts";
import { loadNode } from "./lineage.ts";
import { CatalogNodeType } from "./refs.ts";

/** Of the checks that would fail, this many are shown. */
const MAX_FAILING_CHECKS = 1_000;
/** What a list of them counts as in a query's cost. */
const ASSUMED_LENGTH = 20;

const FailingCheckType = builder.objectRef<FailingCheck>("ImpactCheck").implement({
  description: "A check that would fail.",
  fields: (t) => ({
    check: t.expose("check", { type: CheckType, description: "The check, as it is now." }),
    reason: t.exposeString("reason", { description: "Why it would fail, in one sentence." }),
    on: t.field({
      type: CatalogNodeType,
      description: "The asset or column that it needs and that lets it fail.",
      resolve: ({ on }, _args, context) => loadNode(on, context),
    }),
  }),
});

export const FailingChecksType = builder.objectRef<FailingChecks>("ImpactChecks").implement({
  description: "The checks that would fail: dbt tests, and the contracts of models.",
  fields: (t) => ({
    total: t.expose("total", { type: "NonNegativeInt", description: "How many there are: exact, shown or not." }),
    nodes: t.field({
      type: [FailingCheckType],
      description: `The checks, those nearest to the change first: at most ${MAX_FAILING_CHECKS}.`,
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
      resolve: ({ failing }) => failing,
    }),
    truncated: t.exposeBoolean("truncated", { description: "True when there are more than are shown." }),
  }),
});

/** How many checks to look for, for an impact whose field `checks` may be asked for; undefined for none. */
export function findMaxChecks({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">): number | undefined {
  const seen = new Set<SelectionSetNode>();
  const asksIn = (set: SelectionSetNode | undefined): boolean => {
    if (set === undefined || seen.has(set)) return false;
    seen.add(set);
    return set.selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === "checks";
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      return asksIn(fragment?.selectionSet);
    });
  };
  return fieldNodes.some(({ selectionSet }) => asksIn(selectionSet)) ? MAX_FAILING_CHECKS : undefined;
}
