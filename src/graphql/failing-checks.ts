/** The checks that would fail because of a change. */
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";

import type { FailingCheck, FailingChecks } from "../catalog/impact.ts";
import { listOf, objectType, typed } from "./builder.ts";
import { CheckType } from "./check.ts";
import { loadNode } from "./lineage.ts";
import { CatalogNodeType } from "./refs.ts";

/** How many of the failing checks are shown. */
const MAX_FAILING_CHECKS = 1_000;
/** Their assumed number in a query's cost. */
const ASSUMED_LENGTH = 20;

const FailingCheckType = objectType<FailingCheck>("ImpactCheck", "A check that would fail.").with({
  check: typed(CheckType, "The check, as it is now."),
  reason: typed("String", "Why it would fail, in one sentence."),
  on: {
    ...typed(CatalogNodeType, "The asset or column because of which it would fail."),
    resolve: ({ on }, _args, context) => loadNode(on, context),
  },
});

export const FailingChecksType = objectType<FailingChecks>(
  "ImpactChecks",
  "The checks that would fail: dbt tests, and the contracts of models.",
).with({
  total: typed("NonNegativeInt", "Exactly how many there are, whether shown or not."),
  nodes: {
    ...listOf(
      FailingCheckType,
      `The checks, those nearest to the change first: at most ${MAX_FAILING_CHECKS}.`,
      ASSUMED_LENGTH,
    ),
    resolve: ({ failing }) => failing,
  },
  unbuilt: {
    ...listOf(
      CatalogNodeType,
      "The tables and models that cannot be built any more, because their own SQL needs what goes away.",
      ASSUMED_LENGTH,
    ),
    resolve: ({ unbuilt }, _args, context) => Promise.all(unbuilt.map(({ id }) => loadNode(id, context))),
  },
  skippedModels: {
    ...typed("NonNegativeInt", "How many models are built from those. dbt would skip them."),
    resolve: ({ skipped }) => skipped.models.length,
  },
  skippedChecks: {
    ...typed("NonNegativeInt", "How many checks of all of these dbt would skip. They are not in `total`."),
    resolve: ({ skipped }) => skipped.checks.length,
  },
  truncated: typed("Boolean", "True if there are more than are shown."),
});

/** The fields of an impact for which checks must be looked for. */
const FIELDS: ReadonlySet<string> = new Set(["checks", "unrefreshed"]);

/** How many checks an impact must look for; undefined if none of the fields that need them is asked for. */
export function findMaxChecks({
  fieldNodes,
  fragments,
}: Pick<GraphQLResolveInfo, "fieldNodes" | "fragments">): number | undefined {
  const seen = new Set<SelectionSetNode>();
  const asksIn = (set: SelectionSetNode | undefined): boolean => {
    if (set === undefined || seen.has(set)) return false;
    seen.add(set);
    return set.selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return FIELDS.has(selection.name.value);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      return asksIn(fragment?.selectionSet);
    });
  };
  return fieldNodes.some(({ selectionSet }) => asksIn(selectionSet)) ? MAX_FAILING_CHECKS : undefined;
}
