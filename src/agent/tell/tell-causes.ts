/** Why the value of an asset, a column or a metric may have changed. */
import type { Fact } from "../answer.ts";
import { type CausesSeen, isWhole, type Thing } from "../catalog.ts";
import { durationOf, type PlanOf } from "../plan.ts";
import { tellEach } from "./tell-lineage.ts";
import { tellFailing } from "./tell-whether.ts";
import { sayGaps, type Tools } from "./tell-sets.ts";
import { count, isAre, minute, plain, say, tick } from "./words.ts";

export async function tellCauses({ find, since = "7d" }: PlanOf<"causes">, tools: Tools): Promise<Fact[]> {
  return tellEach(find, tools, async (thing) => {
    const causes = await tools.lookup.causes(thing.id, durationOf(since, tools.now));
    return causes === null ? [] : [...sayCauses(thing, causes), ...(await tellFailing(thing, tools, "Checks"))];
  });
}

function sayCauses(thing: Thing, causes: CausesSeen): Fact[] {
  const { nodes, total, others, since } = causes;
  const lead =
    total === 0
      ? say`no change that the catalog knows can have changed ${thing}`
      : say`${count(total, "change")} can have changed ${thing}, the nearest first`;
  const more = total - nodes.length;
  return [
    say`Since ${minute(since)}, ${lead}.`,
    ...nodes.map(sayCause),
    ...(more > 0 ? [say`There ${isAre(more)} ${more} more.`] : []),
    ...(others > 0 ? [say`${count(others, "other change")} upstream cannot have changed it.`] : []),
    ...sayGaps({ isComplete: isWhole(causes) }, "there may be other causes"),
  ];
}

function sayCause({ node, sentence, details, at, actor, connector, ...cause }: CausesSeen["nodes"][number]): Fact {
  const who = actor ?? (connector === null ? "a connector that is gone" : `connector ${tick(connector.name)}`);
  const where = cause.distance === 0 ? "on itself" : `${count(cause.distance, "hop")} upstream`;
  const isSure = cause.evidence.toLowerCase() !== "unknown";
  const doubt = isSure ? "" : ", if the lineage in between, which is not fully known, leads to it";
  const what = plain([sentence, ...details.slice(0, 1)].join(": "));
  return say`${{ ...node, reason: sentence }}, ${where}: ${what} (${plain(who)}, ${minute(at)})${doubt}.`;
}
