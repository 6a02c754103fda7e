/** What the events of one dataset state: its lineage here, everything else as a note about the dataset. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { Kept, Settled } from "../connector.ts";
import { expiryOf, ignoredFacets, inScope, type Keyed, nothing, noteTo, parseKept, subjectOf } from "./bodies.ts";
import { describeDatasets } from "./describe-datasets.ts";
import { flowEvents } from "./flow-events.ts";
import type { DatasetFacts, KeptDatasetEvent } from "./kept.ts";
import type { OpenLineageOptions } from "./options.ts";

export function settleDatasetEvents(
  subject: string,
  kept: readonly Kept[],
  options: OpenLineageOptions,
  now: Date,
): Settled {
  const messages = parseKept<KeptDatasetEvent>(kept);
  const latest = messages.at(-1);
  if (latest === undefined) return nothing(subject);
  const expiresAt = expiryOf(latest.body.at, options.expire_after_days);
  if (expiresAt !== null && expiresAt <= now.toISOString()) return nothing(subject);
  const held = messages.findLast((message) => !isDrop(message));
  const dropped = messages.findLast(isDrop);
  const {
    datasets: [dataset],
    refOf,
  } = describeDatasets(
    messages.map(({ body }) => body.dataset),
    options,
  );
  if (dataset === undefined) return nothing(subject);
  const { ref, facts } = dataset;
  const object = `${latest.body.dataset.namespace}.${latest.body.dataset.name}`;
  const flows = flowEvents({ ref, facts }, refOf, object);
  const { lifecycle, lineage: _lineage, columnLineage: _columnLineage, table: _table, ...said } = facts;
  const note = noteTo({
    ref,
    heldAt: held?.body.at ?? null,
    goneAt: dropped?.body.at ?? null,
    facts: said,
    ...(flows.traced === null ? {} : { traced: flows.traced }),
  });
  const { change = "", previous = null } = lifecycle?.value ?? {};
  const before = change === "RENAME" && previous !== null ? refOf(previous) : null;
  const away =
    before === null || subjectOf(before) === note.subject
      ? []
      : [noteTo({ ref: before, heldAt: null, goneAt: lifecycle?.at ?? latest.body.at, facts: {} })];
  const faults = ignoredFacets(object, latest.body.ignored);
  return {
    events: inScope(subject, [...flows.events, ...faults]),
    needed: new Set([latest, held, dropped, ...winners(messages)].flatMap((message) => message?.key ?? [])),
    notes: [note, ...away],
    expiresAt,
  };
}

function isDrop({ body }: Keyed<KeptDatasetEvent>): boolean {
  return body.dataset.facts.lifecycle?.value?.change === "DROP";
}

/** The messages of which at least one facet is the latest of its kind. They are in the order of their times. */
function winners(messages: readonly Keyed<KeptDatasetEvent>[]): Keyed<KeptDatasetEvent>[] {
  const facets = new Set(messages.flatMap(({ body }) => Object.keys(body.dataset.facts)));
  return [...facets].flatMap((facet) => {
    const said = (message: Keyed<KeptDatasetEvent>) => message.body.dataset.facts[facet as keyof DatasetFacts];
    const telling = messages.filter((message) => said(message) !== undefined);
    return telling
      .toSorted((a, b) => {
        const [one, other] = [said(a), said(b)];
        return (
          compareCodePoints(one?.at ?? "", other?.at ?? "") ||
          compareCodePoints(JSON.stringify(one?.value), JSON.stringify(other?.value))
        );
      })
      .slice(-1);
  });
}
