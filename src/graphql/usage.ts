/** How much assets are used. */
import { type AssetUsage, USAGE_DAYS } from "../catalog/usage.ts";
import { objectType, typed, typedOrNull } from "./builder.ts";

export const AssetUsageType = objectType<AssetUsage>(
  "AssetUsage",
  `How much an asset was used in ${USAGE_DAYS} days, as the source with the highest precedence tells that knows it. A number that it does not tell is null.`,
).with({
  users: typedOrNull("NonNegativeInt", "How many people used it."),
  queries: typedOrNull("NonNegativeInt", "How many queries read it."),
  views: typedOrNull("NonNegativeInt", "How often it was opened."),
  until: typed("DateTime", "The last time of which the source told: the end of the days."),
});

export const USAGE_DESCRIPTION = "How much it is used; null if no source tells it, for columns, and with `asOf`.";
