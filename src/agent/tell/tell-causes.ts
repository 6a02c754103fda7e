/** Why the value of an asset, a column or a metric may have changed. */
import type { Fact } from "../answer.ts";
import type { CauseSeen, CausesSeen, Thing } from "../catalog.ts";
import { durationOf } from "../plan.ts";
import type { PlanOf, Tools } from "./tell-sets.ts";
import { cite, citeAll, count, listNames, minute, named, plain, profile, say, tick } from "./words.ts";

const MAX_ROOTS = 3;

export async function tellCauses({ find, since = "7d" }: PlanOf<"causes">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder, now } = tools;
  const { things } = await finder.find(find);
  const told = await Promise.all(
    things.slice(0, MAX_ROOTS).map(async (thing) => {
      const causes = await lookup.causes(thing.id, durationOf(since, now));
      return causes === null ? [] : tellOne(thing, causes);
    }),
  );
  const left = things.slice(MAX_ROOTS);
  return [
    ...told.flat(),
    ...(left.length === 0 ? [] : [say(`There are others of that name: ${listNames(left)}.`, citeAll(left))]),
  ];
}

function tellOne(thing: Thing, { nodes, total, others, since, isComplete }: CausesSeen): Fact[] {
  const span = `Since ${minute(since)}`;
  const about = [cite(thing, profile(thing))];
  const cannot = others === 0 ? [] : [say(`${count(others, "other change")} upstream cannot have changed it.`)];
  const gaps = isComplete
    ? []
    : [say("Part of the lineage or of the changes could not be read, so there may be other causes.")];
  if (total === 0)
    return [
      say(`${span}, no change that the catalog knows can have changed ${named(thing)}.`, about),
      ...cannot,
      ...gaps,
    ];
  const more = total - nodes.length;
  return [
    say(`${span}, ${count(total, "change")} can have changed ${named(thing)}, the nearest first.`, about),
    ...nodes.map((cause) => say(tellCause(cause), [cite(cause.node, cause.sentence)])),
    ...(more > 0 ? [say(`There ${more === 1 ? "is" : "are"} ${more.toLocaleString("en-US")} more.`)] : []),
    ...cannot,
    ...gaps,
  ];
}

function tellCause({ node, sentence, details, at, actor, connector, distance, evidence }: CauseSeen): string {
  const who = actor ?? (connector === null ? "a connector that is gone" : `connector ${tick(connector.name)}`);
  const where = distance === 0 ? "on itself" : `${count(distance, "hop")} upstream`;
  const doubt =
    evidence.toLowerCase() === "unknown" ? ", if the lineage in between, which is not fully known, leads to it" : "";
  const what = plain([sentence, ...details.slice(0, 1)].join(": "));
  return `${named(node)}, ${where}: ${what} (${plain(who)}, ${minute(at)})${doubt}.`;
}
