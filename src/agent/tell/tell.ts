/** Composes the sentences of an answer to one plan, each with the assets that it is about. */
import type { Fact } from "../answer.ts";
import type { Plan, PlanOf } from "../plan.ts";
import { tellAspect, tellComparison } from "./tell-aspects.ts";
import { tellConnectors } from "./tell-connectors.ts";
import { tellCauses, tellImpact, tellPath } from "./tell-lineage.ts";
import { tellCount, tellGroups, tellList, type Tools } from "./tell-sets.ts";
import { tellWhether } from "./tell-whether.ts";

const TELLERS: { [Tell in Plan["tell"]]: (plan: PlanOf<Tell>, tools: Tools) => Promise<Fact[]> } = {
  list: tellList,
  count: tellCount,
  whether: tellWhether,
  aspect: tellAspect,
  groups: tellGroups,
  path: tellPath,
  impact: tellImpact,
  causes: tellCauses,
  comparison: tellComparison,
  connectors: tellConnectors,
};

export function tell(plan: Plan, tools: Tools): Promise<Fact[]> {
  return (TELLERS[plan.tell] as (plan: Plan, tools: Tools) => Promise<Fact[]>)(plan, tools);
}
