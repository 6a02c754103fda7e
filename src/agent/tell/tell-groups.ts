/** The members of a set, counted by what they have. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Group } from "../plan.ts";
import { sayThings } from "./read-as.ts";
import { citeAll, joinWords, listNames, MAX_NAMES, tick, say } from "./words.ts";
import { amountOf, type PlanOf, reachFar, sayGaps, type Tools } from "./tell-sets.ts";

const MAX_GROUPS = 20;
const VALUES: Readonly<Record<Group, (thing: Thing) => readonly string[]>> = {
  owner: ({ owner, ownerName }) => [owner || ownerName],
  certifier: ({ certifiedBy }) => [certifiedBy ?? ""],
  type: ({ type }) => [type],
  schema: ({ fqn, type }) =>
    type === "table" || type === "model" || type === "column"
      ? [
          fqn
            .split(".")
            .slice(0, type === "column" ? -2 : -1)
            .join("."),
        ]
      : [""],
  tag: ({ tags }) => (tags.length === 0 ? [""] : tags),
  certification: ({ certification }) => [certification],
  connector: ({ connectors }) => connectors,
  materialization: ({ materialization }) => [materialization],
};

export async function tellGroups(
  { find: asked, by, limit, least }: PlanOf<"groups">,
  { finder, names }: Tools,
): Promise<Fact[]> {
  const find = reachFar(asked) ?? asked;
  const found = await finder.findAll(find);
  const members = found.things.flatMap((thing) => VALUES[by](thing).map((value) => ({ value, thing })));
  const groups = [...Map.groupBy(members, ({ value }) => value)].map(([value, all]) => ({
    value,
    things: all.map(({ thing }) => thing),
  }));
  const known = groups
    .filter(({ value }) => value !== "")
    .toSorted(
      (a, b) =>
        (least ? a.things.length - b.things.length : b.things.length - a.things.length) || (a.value < b.value ? -1 : 1),
    );
  const without = groups.find(({ value }) => value === "")?.things ?? [];
  const set = sayThings(find, names);
  if (found.total === 0 && JSON.stringify(find).includes('"is":"text"')) return [];
  if (known.length === 0)
    return [
      say(
        found.total === 0 ? `There are no ${set}.` : `None of the ${amountOf(found)} ${set} has a known ${by}.`,
        citeAll(found.things),
      ),
    ];
  const last = known[(limit ?? MAX_GROUPS) - 1];
  const shown = known.filter(
    ({ things }, i) => i < (limit ?? MAX_GROUPS) || (limit !== undefined && things.length === last?.things.length),
  );
  const few = found.things.length <= MAX_NAMES || limit !== undefined;
  const told = shown.map(
    ({ value, things }) =>
      `${by === "owner" && value.includes("@") ? value : tick(value)} (${things.length.toLocaleString("en-US")}${few ? `: ${listNames(things)}` : ""})`,
  );
  const left = known.length - shown.length;
  const lead =
    limit === undefined
      ? `The ${amountOf(found)} ${set} by ${by}`
      : `Of the ${amountOf(found)} ${set}, the ${least ? "fewest" : "most"} by ${by}`;
  const none =
    limit === undefined && without.length > 0
      ? ` ${without.length.toLocaleString("en-US")} ${without.length === 1 ? "has" : "have"} no ${by}${few ? `: ${listNames(without)}` : ""}.`
      : "";
  return [
    say(
      `${lead}: ${joinWords(left > 0 && limit === undefined ? [...told, `${left} more`] : told)}.${none}`,
      citeAll(shown.flatMap(({ things }) => things).slice(0, 2 * MAX_NAMES)),
    ),
    ...sayGaps(found),
  ];
}
