/** What a job's events state: the pipeline, what it reads and writes, and what its columns come from. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import type { CrawlEvent, Kept, NoteTo, Settled } from "../connector.ts";
import { expiryOf, ignoredFacets, inScope, nothing, noteTo, parseKept, subjectOf, warning } from "./bodies.ts";
import { chooseRun, type JobRun, MAX_KEPT } from "./choose-run.ts";
import { describeDatasets, type DescribedDataset } from "./describe-datasets.ts";
import { joinFacts, type JobFacts, type KeptDataset, type KeptJobEvent, type PlacedNote, type Said } from "./kept.ts";
import { flowEvents } from "./flow-events.ts";
import { type DatasetName, toJobRef } from "./naming.ts";
import type { OpenLineageOptions } from "./options.ts";

export function settleJob(subject: string, kept: readonly Kept[], options: OpenLineageOptions, now: Date): Settled {
  const messages = parseKept<KeptJobEvent>(kept);
  const { chosen, needed, dropped } = chooseRun(messages);
  const expiresAt = expiryOf(chosen.at, options.expire_after_days);
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    // A run that has not completed yet may still decide.
    const unfinished =
      chosen.rank === 1 ? [] : [...needed].filter((key) => !chosen.messages.some((m) => m.key === key));
    return nothing(subject, new Set(unfinished));
  }
  const [first] = messages;
  const job = first?.body.job ?? { namespace: "", name: "" };
  const bodies = chosen.messages.map(({ body }) => body);
  const facts = joinFacts(bodies.map((body) => body.facts));
  const ref = toJobRef(job, options);
  const object = `${job.namespace}.${job.name}`;
  const statements: CrawlEvent[] = [
    { kind: "asset", asset: statePipeline(ref, job, { facts, run: chosen }) },
    ...ignoredFacets(
      object,
      bodies.flatMap(({ ignored }) => ignored),
    ),
  ];
  if (dropped > 0) {
    const message = `More than ${MAX_KEPT} messages of runs of ${object} that have not completed were waiting; the oldest were dropped.`;
    statements.push(warning("unfinished_runs_dropped", object, message));
  }
  const settled = { needed, expiresAt };
  if (chosen.rank < 3) return { ...settled, events: inScope(subject, statements), notes: [] };
  const io = toInputsAndOutputs(bodies, facts, options);
  const { events, traced } = stateFlows(ref, io, object);
  return {
    ...settled,
    events: inScope(subject, [...statements, ...events]),
    notes: toNotes(io.all.flatMap((dataset) => describe(dataset, { at: chosen.at, traced, io }))),
  };
}

function statePipeline(
  ref: NodeRef,
  { namespace, name }: DatasetName,
  { facts, run }: { facts: JobFacts; run: JobRun },
): AssetStatement {
  const { description, owners, tags, sql, type, url, parent } = facts;
  const { integration = "", jobType = "", processingType = "" } = type?.value ?? {};
  const [owner = "", ...others] = owners?.value ?? [];
  const told: Record<string, string> = { integration, job_type: jobType, processing_type: processingType };
  const meta: Record<string, unknown> = {
    namespace,
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== "")),
    ...(parent?.value ? { parent: { namespace: parent.value.namespace, name: parent.value.name } } : {}),
    ...(others.length > 0 ? { other_owners: others } : {}),
    ...(run.rank > 1 ? { last_run: { ...(run.id === "" ? {} : { run_id: run.id }), at: run.at } } : {}),
  };
  return {
    ref,
    name,
    columns: [],
    facts: {
      description: description?.value ?? "",
      owner,
      tags: [...new Set((tags?.value ?? []).map(({ label }) => label))],
      sql: sql?.value || null,
      url: url?.value || null,
      meta,
    },
  };
}

/** The datasets of a run, each once, by their subjects. */
interface InputsAndOutputs {
  all: DescribedDataset[];
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
  /** Finds the place of a dataset that lineage names. */
  refOf: (name: DatasetName) => NodeRef;
}

function toInputsAndOutputs(
  bodies: readonly KeptJobEvent[],
  facts: JobFacts,
  options: OpenLineageOptions,
): InputsAndOutputs {
  const inputs = bodies.flatMap((body) => body.inputs);
  const outputs = bodies.flatMap((body) => body.outputs);
  const entries = facts.lineage?.value ?? [];
  const targets = entries.flatMap(({ target, lineage }): KeptDataset[] => {
    return target === null ? [] : [{ ...target, facts: { lineage: { at: facts.lineage?.at ?? "", value: lineage } } }];
  });
  const sources = entries.flatMap(({ lineage }) => [...lineage.inputs, ...lineage.fields.flatMap(([, from]) => from)]);
  const named = sources.map(({ namespace, name }): KeptDataset => ({ namespace, name, facts: {} }));
  const { datasets, refOf } = describeDatasets([...inputs, ...outputs, ...targets, ...named], options);
  const subjects = (of: readonly DatasetName[]): Set<string> => new Set(of.map((each) => subjectOf(refOf(each))));
  const sink = entries.filter(({ target }) => target === null).flatMap(({ lineage }) => lineage.inputs);
  return {
    all: datasets,
    reads: subjects([...inputs, ...named, ...sink]),
    writes: subjects([...outputs, ...targets]),
    refOf,
  };
}

/** Changes of a dataset by which nothing is put into it. */
const NOT_WRITTEN = new Set(["DROP", "TRUNCATE"]);

/** @returns the edges, and by subject the columns of which the lineage is told */
function stateFlows(
  job: NodeRef,
  { all, reads, writes, refOf }: InputsAndOutputs,
  object: string,
): { events: CrawlEvent[]; traced: ReadonlyMap<string, string[]> } {
  const events: CrawlEvent[] = [];
  const traced = new Map<string, string[]>();
  for (const { ref, subject, facts } of all) {
    if (reads.has(subject)) events.push({ kind: "edge", edge: { from: ref, to: job, kind: "reads" }, object });
    if (!writes.has(subject) || NOT_WRITTEN.has(facts.lifecycle?.value?.change ?? "")) continue;
    events.push({ kind: "edge", edge: { from: job, to: ref, kind: "materializes" }, object });
    const flows = flowEvents({ ref, facts }, refOf, object);
    events.push(...flows.events);
    if (flows.traced !== null) traced.set(subject, flows.traced);
  }
  return { events, traced };
}

interface Noting {
  at: string;
  traced: ReadonlyMap<string, string[]>;
  io: InputsAndOutputs;
}

/** What the job's run says about a dataset, and about the dataset that it was before it was renamed. */
function describe({ ref, subject, facts }: DescribedDataset, { at, traced, io }: Noting): PlacedNote[] {
  const isWritten = io.writes.has(subject);
  const { lifecycle, lineage: _lineage, columnLineage: _columnLineage, table: _table, ...said } = facts;
  const { change = "", previous = null } = lifecycle?.value ?? {};
  const isGone = isWritten && change === "DROP";
  const isDescribed = Object.values(said).some(({ value }) => value !== null);
  const note: PlacedNote = {
    ref,
    heldAt: !isGone && (isWritten || isDescribed) ? at : null,
    goneAt: isGone ? at : null,
    // All that a run says counts from its completion on.
    facts: Object.fromEntries(Object.entries<Said<unknown>>(said).map(([facet, { value }]) => [facet, { at, value }])),
    ...(isWritten && !NOT_WRITTEN.has(change) ? { traced: traced.get(subject) ?? null } : {}),
  };
  if (change !== "RENAME" || previous === null || subjectOf(io.refOf(previous)) === subject) return [note];
  return [note, { ref: io.refOf(previous), heldAt: null, goneAt: at, facts: {} }];
}

/** One note about each dataset. If it was renamed away, that is what counts. */
function toNotes(notes: readonly PlacedNote[]): NoteTo[] {
  return [...Map.groupBy(notes, ({ ref }) => subjectOf(ref)).values()].flatMap((about) => {
    const note = about.find(({ goneAt }) => goneAt !== null) ?? about[0];
    return note === undefined || (note.heldAt === null && note.goneAt === null) ? [] : [noteTo(note)];
  });
}
