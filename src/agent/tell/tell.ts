/** Composes the sentences of an answer to one plan, each with the assets that it is about. */
import type { Fact } from "../answer.ts";
import type { Plan } from "../plan.ts";
import { tellAspect } from "./tell-aspects.ts";
import { tellCauses } from "./tell-causes.ts";
import { tellConnectors } from "./tell-connectors.ts";
import { tellComparison, tellImpact, tellPath } from "./tell-lineage.ts";
import { tellCount, tellList, tellMore, type Tools } from "./tell-sets.ts";
import { tellGroups } from "./tell-groups.ts";
import { tellWhether } from "./tell-whether.ts";

export async function tell(plan: Plan, tools: Tools): Promise<Fact[]> {
  switch (plan.tell) {
    case "list":
      return tellList(plan, tools);
    case "count":
      return tellCount(plan, tools);
    case "whether":
      return tellWhether(plan, tools);
    case "more":
      return tellMore(plan, tools);
    case "aspect":
      return tellAspect(plan, tools);
    case "groups":
      return tellGroups(plan, tools);
    case "path":
      return tellPath(plan, tools);
    case "impact":
      return tellImpact(plan, tools);
    case "causes":
      return tellCauses(plan, tools);
    case "comparison":
      return tellComparison(plan, tools);
    case "connectors":
      return tellConnectors(plan, tools);
  }
}
