/**
 * The grammar of questions. Each rule says what its phrase means from what its parts mean, so that whatever can be said with
 * one part can be said with another in its place.
 */
import type { Rule } from "./chart.ts";
import { askRules } from "./grammar/asks.ts";
import { betweenRules } from "./grammar/between.ts";
import { changeRules } from "./grammar/changes.ts";
import { conditionRules } from "./grammar/conditions.ts";
import { orderRules } from "./grammar/orders.ts";
import { nounRules, textRules } from "./grammar/nouns.ts";

export { type Noun, PREVIOUS } from "./grammar/meanings.ts";

export const GRAMMAR_RULES: readonly Rule[] = [
  ...textRules,
  ...nounRules,
  ...conditionRules,
  ...changeRules,
  ...askRules,
  ...betweenRules,
  ...orderRules,
];
