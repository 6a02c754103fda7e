/** What a change set computes otherwise, and who looks at it. */
import type { Rewritten, RewrittenAsset, RewrittenReader } from "../what-if/rewritten.ts";
import { describeHow } from "../what-if/rewritten-words.ts";
import { listOf, objectType, typed, typedOrNull } from "./builder.ts";
import { NodeType, Risk } from "./enums.ts";
import { OWNED_BY } from "./person.ts";

const ASSUMED_LENGTH = 20;

const RewrittenAssetType = objectType<RewrittenAsset>(
  "RewrittenAsset",
  "A model with SQL that computes something otherwise, a metric with another definition, or a dashboard or pipeline that reads other relations.",
).with({
  id: typed("ID", "Its id."),
  name: typed("String", "Its own name."),
  fqn: typed("String", "Its fully qualified name."),
  type: typed(NodeType, "What it is."),
  how: {
    ...typed("String", "What it computes otherwise: its rows, its columns by their names, or all that it reads."),
    resolve: describeHow,
  },
  risk: typedOrNull(Risk, "The highest risk for a dashboard or metric that reads it; null if none does."),
  ownedBy: (t) => t.field(OWNED_BY),
});

const RewrittenReaderType = objectType<RewrittenReader>(
  "RewrittenReader",
  "A dashboard or metric that reads what is computed otherwise.",
).with({
  id: typed("ID", "Its id."),
  name: typed("String", "Its own name."),
  fqn: typed("String", "Its fully qualified name."),
  type: typed(NodeType, "What it is."),
  risk: typed(Risk, "The risk for it, as if the type of what it reads changed."),
  assets: typed(["Int"], "What it reads, as indexes of the list of assets, from 0."),
  ownedBy: (t) => t.field(OWNED_BY),
});

export const RewrittenType = objectType<Rewritten>(
  "RewrittenAssets",
  "What is computed otherwise, so that people read other numbers, though nothing breaks. It does not count as affected.",
).with({
  assets: listOf(RewrittenAssetType, "The models and metrics, by name.", ASSUMED_LENGTH),
  readers: listOf(RewrittenReaderType, "Who reads them, the highest risk first.", ASSUMED_LENGTH),
  truncated: typed("Boolean", "True if there are more than are listed."),
});
