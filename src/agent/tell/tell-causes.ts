/** Why the value of an asset, a column or a metric may have changed. */
import type { Fact } from "../answer.ts";
import { type CausesSeen, isWhole, type Thing } from "../catalog.ts";
import { durationOf } from "../plan.ts";
import { tellEach } from "./tell-lineage.ts";
import { isAre, type PlanOf, type Tools } from "./tell-sets.ts";
import { cite, count, minute, named, plain, profile, say, tick } from "./words.ts";

const GAPS = "Part of the lineage or of the changes could not be read, so there may be other causes.";

export async function tellCauses({ find, since = "7d" }: PlanOf<"causes">, tools: Tools): Promise<Fact[]> {
  const { things } = await tools.finder.find(find);
  return tellEach(things, async (thing) => {
    const causes = await tools.lookup.causes(thing.id, durationOf(since, tools.now));
    return causes === null ? [] : sayCauses(thing, causes);
  });
}

function sayCauses(thing: Thing, causes: CausesSeen): Fact[] {
  const { nodes, total, others, since } = causes;
  const lead =
    total === 0
      ? `no change that the catalog knows can have changed ${named(thing)}`
      : `${count(total, "change")} can have changed ${named(thing)}, the nearest first`;
  const more = total - nodes.length;
  return [
    say(`Since ${minute(since)}, ${lead}.`, [cite(thing, profile(thing))]),
    ...nodes.map((cause) => say(sayCause(cause), [cite(cause.node, cause.sentence)])),
    ...(more > 0 ? [say(`There ${isAre(more)} ${count(more)} more.`)] : []),
    ...(others > 0 ? [say(`${count(others, "other change")} upstream cannot have changed it.`)] : []),
    ...(isWhole(causes) ? [] : [say(GAPS)]),
  ];
}

function sayCause({
  node,
  sentence,
  details,
  at,
  actor,
  connector,
  distance,
  evidence,
}: CausesSeen["nodes"][number]): string {
  const who = actor ?? (connector === null ? "a connector that is gone" : `connector ${tick(connector.name)}`);
  const where = distance === 0 ? "on itself" : `${count(distance, "hop")} upstream`;
  const doubt =
    evidence.toLowerCase() === "unknown" ? ", if the lineage in between, which is not fully known, leads to it" : "";
  const what = plain([sentence, ...details.slice(0, 1)].join(": "));
  return `${named(node)}, ${where}: ${what} (${plain(who)}, ${minute(at)})${doubt}.`;
}
