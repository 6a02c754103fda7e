/** Which intent is answered by what. */
import type { Intent } from "../understand/intent.ts";
import type { Answerer } from "./ask.ts";
import { answerCompare } from "./compare.ts";
import { answerColumns, answerWhere } from "./columns.ts";
import { answerCertification, answerDefinition, answerOwner, answerWhat } from "./describe.ts";
import { answerFreshness } from "./freshness.ts";
import { answerImpact } from "./impact.ts";
import { answerDownstream, answerUpstream } from "./lineage.ts";
import { answerCount, answerFind, answerList } from "./listing.ts";
import { answerPath, answerUses } from "./path.ts";

export const ANSWERERS: Readonly<Record<Intent, Answerer>> = {
  path: answerPath,
  compare: answerCompare,
  uses: answerUses,
  impact: answerImpact,
  count: async (ask) => {
    if (ask.subjects.length === 0) return answerCount(ask);
    if (ask.question.types?.every((type) => type === "column") === true) return answerColumns(ask);
    const upstream = /\b(?:feeds?|upstream|sources?|into)\b.*\bN\b|\bN\b.*\b(?:from|sources?|upstream)\b/.test(
      ask.question.template,
    );
    return upstream ? answerUpstream(ask) : answerDownstream(ask);
  },
  freshness: answerFreshness,
  certification: answerCertification,
  owner: answerOwner,
  owned: answerList,
  columns: answerColumns,
  definition: answerDefinition,
  upstream: answerUpstream,
  downstream: answerDownstream,
  list: answerList,
  where: answerWhere,
  find: answerFind,
  what: answerWhat,
};
