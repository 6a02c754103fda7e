/** Finds what would break if a change set were applied: a new dbt manifest, or changes that the user names. */
import type { Change, ChangeSet, Uncompared } from "../catalog/change-set/change.ts";
import { comparingProjects } from "../catalog/change-set/compare-projects.ts";
import type { JointImpact } from "../catalog/change-set/join-impact.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import { joinCoverage, oldestCrawl } from "../catalog/coverage.ts";
import { type Compare, CrawlFailure } from "../connectors/connector.ts";
import type { SourceFile } from "../connectors/source-file.ts";
import type { FindConnectorType } from "../ingest/connector-types.ts";
import { createExternalRelationLoader } from "../ingest/external-relations.ts";
import { createStatementReader } from "../ingest/statement-reader.ts";
import { badField, noConnector } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { Connector, Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { createFairQueue } from "../work/fair-queue.ts";
import { createSlicer } from "../work/slicer.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import { findAdaptation } from "./adaptation.ts";
import { assessAlone, type Assessing, causesFirst, joinRemaining } from "./assess-changes.ts";
import { createFailingJoin, type FailingChecks, toNewChecks } from "./failing-checks.ts";
import { findLapses, type Lapses, NO_LAPSES } from "./lapses.ts";
import { findLineageChanges, type LineageChanges, NO_LINEAGE_CHANGES } from "./lineage-changes.ts";
import { isAmong, lastPart } from "./new-lineage.ts";
import { addOtherChanges } from "./other-changes.ts";
import { findRewritten, NOTHING_REWRITTEN, type Rewritten } from "./rewritten.ts";
import { matchConnector } from "./match-connector.ts";
import { readNewProject } from "./new-project.ts";
import { gatherStatements, type NewStatements } from "./new-statements.ts";
import { addSources, loadPresentProject, type PresentProject } from "./present-project.ts";
import { createRememberedAnswers } from "./remembered-answers.ts";
import { requireComparable, requireReadable, tooManyChanges } from "./refusals.ts";

/** At most this many connectors are searched for the only one of a type. */
const MANY = 1_000;

/**
 * Few at once, because a manifest and the present project are in memory together: up to some hundred megabytes each.
 */
const TURNS = { atOnce: 2, atOnceForOne: 1, byAccount: true, maxWaiting: 8, maxWaitMs: 60_000 };

export interface WhatIfReport extends JointImpact {
  /** The name of the connector whose project was compared; "" if the user named the changes. */
  against: string;
  /** What could not be compared. */
  uncompared: Uncompared[];
  checks: FailingChecks;
  /** The certifications of metrics that would lapse. They do not count as affected. */
  lapses: Lapses;
  /** What it adds to the lineage of its project, and removes from it. */
  lineage: LineageChanges;
  /** What it computes otherwise, and who looks at that. Nothing breaks by it, and it does not count as affected. */
  rewritten: Rewritten;
  /** When the oldest of the connectors that state what it is about last completed a crawl; null if one never did. */
  asOf: string | null;
}

interface ManifestRequest {
  workspace: Workspace;
  caller: Caller;
  /** The name or id of the connector that crawls the project. If left out, it is found by what the manifest contains. */
  against?: string | undefined;
  manifest: SourceFile;
  catalog?: SourceFile | undefined;
  /** More changes than this are refused. Default: no limit. */
  maxChanges?: number;
}

export interface WhatIfOptions {
  graph: Pick<CatalogGraph, "readerFor">;
  store: Pick<MetadataStore, "connectors" | "lineageAnswers" | "syncs">;
  sqlLineage: Pick<SqlLineage, "resolve">;
  findConnectorType: FindConnectorType;
  turns: EventLoopScheduler;
  /** For each change, at most this many affected nodes are kept. */
  maxAffected: number;
}

export function createWhatIf({
  graph: sharedGraph,
  store,
  sqlLineage,
  findConnectorType,
  turns,
  maxAffected,
}: WhatIfOptions) {
  const reader = createStatementReader(sqlLineage, createRememberedAnswers(store.lineageAnswers));
  const queue = createFairQueue(TURNS);

  const compares = ({ type }: Connector): boolean => findConnectorType(type)?.compare !== undefined;

  async function getConnector(request: ManifestRequest, assessing: Assessing): Promise<Connector> {
    const { id } = request.workspace;
    const { against } = request;
    if (against === undefined) return findConnector(request, assessing);
    const found = await store.connectors.findNamed(id, against);
    if (found === null) throw noConnector(against);
    if (compares(found)) return found;
    throw badField(
      "connector",
      `${found.name} is a connector of type ${found.type}; only dbt projects can be compared`,
    );
  }

  async function findConnector(request: ManifestRequest, assessing: Assessing): Promise<Connector> {
    const { graph, workspace, slicer } = assessing;
    const { items } = await store.connectors.list(workspace, { after: null, limit: MANY });
    const [first, ...others] = items.filter(compares);
    if (first === undefined) throw badField("connector", "there is none for dbt in this workspace");
    if (others.length === 0) return first;
    const statements = await readStatements(request, first, assessing);
    return matchConnector(graph, workspace, [first, ...others], statements, slicer);
  }

  function getCompare({ type: name, options }: Connector): { compare: Compare<unknown>; options: unknown } {
    const type = findConnectorType(name);
    if (!type?.compare) throw new Error(`connectors of type ${name} compare nothing`);
    return { compare: type.compare, options: type.options.parse(options) };
  }

  async function readStatements(
    { workspace, manifest, catalog }: ManifestRequest,
    connector: Connector,
    { caller, slicer }: Assessing,
  ): Promise<NewStatements> {
    const { compare, options } = getCompare(connector);
    const version = catalog === undefined ? { manifest } : { manifest, catalog };
    const reading = { signal: caller.signal, nextTurn: () => turns.next(caller) };
    const events = compare.read(options, version, reading);
    const statements = await gatherStatements(events, { workspace: workspace.name, slicer });
    // A crawl goes on without a broken catalog. But here the caller named one, so it must be usable.
    const fault = statements.errors.find(({ location }) => catalog !== undefined && location === catalog.name);
    if (fault !== undefined) throw badField("catalog", fault.message, new CrawlFailure(fault));
    return statements;
  }

  function assessingFor(workspace: Workspace, caller: Caller): Assessing {
    const graph = sharedGraph.readerFor(caller);
    return { caller, graph, workspace: workspace.id, slicer: createSlicer(turns, caller), maxAffected };
  }

  async function compareManifest(request: ManifestRequest): Promise<WhatIfReport> {
    const { workspace, caller, maxChanges = Infinity } = request;
    const assessing = assessingFor(workspace, caller);
    const connector = await getConnector(request, assessing);
    const { graph, slicer } = assessing;
    const held = { workspace: workspace.id, connector };
    const present = await loadPresentProject(graph, held, slicer);
    if (present.relations.length === 0) {
      throw badField("connector", `${connector.name} has nothing in the catalog to compare with; sync it first`);
    }
    const statements = await readStatements(request, connector, assessing);
    const next = await readNewProject(statements, present.relations, {
      workspace: workspace.name,
      reader,
      caller,
      slicer,
      loadExternalRelations: createExternalRelationLoader(
        graph,
        { workspace: workspace.id, connectorName: connector.name },
        workspace.name,
      ),
    });
    requireReadable(statements, next);
    const before = await addSources(graph, workspace.id, present.relations, next.columnNames, slicer);
    const unread = unreadNames(statements);
    const compared = await slicer.run(comparingProjects(before, next.relations, unread));
    requireComparable(connector, present, next, compared);
    const found = await addOtherChanges(graph, workspace.id, compared, { present, next, statements }, slicer);
    const { changes } = found;
    if (changes.length > maxChanges) throw tooManyChanges(changes.length, maxChanges);
    const reach = causesFirst(await assessAlone(assessing, changes));
    const adaptation = await findAdaptation(
      graph,
      workspace.id,
      { affected: new Set(reach.affected.keys()), changes },
      { lineage: next.lineage, follows: found.follows, nodes: present.nodes },
      slicer,
    );
    const failing = createFailingJoin(toNewChecks(workspace, connector, { present, statements, next, found }));
    const remaining = await joinRemaining(assessing, reach, adaptation, failing);
    // A manifest without changes reaches no asset, but it was compared with what this connector states.
    const itself = { connectors: [connector.id], gaps: [], gapsTotal: 0 };
    const joint = { ...remaining, coverage: joinCoverage([remaining.coverage, itself]) };
    const { follows } = found;
    const projects = { present, next, statements, found };
    const { lineage, rewritten } = await findLineageChanges(graph, workspace.id, projects, slicer);
    return {
      ...joint,
      against: connector.name,
      uncompared: listUncompared(found, statements, present),
      checks: failing.finish(joint, adaptation.isGone),
      lapses: await findLapses(
        graph,
        workspace.id,
        { feeds: next.lineage, types: next.types, changes, follows, present: present.nodes },
        slicer,
      ),
      lineage,
      rewritten: await findRewritten(assessing, { rewritten, present, next, follows, isGone: adaptation.isGone }),
      asOf: await findOldestCrawl(workspace, joint),
    };
  }

  async function findOldestCrawl({ id }: Workspace, { coverage }: JointImpact): Promise<string | null> {
    return oldestCrawl(await store.syncs.loadLastCompleted(id, coverage.connectors));
  }

  return {
    /**
     * Compares a dbt project's new manifest with the crawled project.
     * @throws AppError `not_found` if there is no such connector, `bad_request` if the manifest cannot be read or
     *   compared, or nothing was crawled yet
     */
    assessManifest: (request: ManifestRequest) => queue.run(request.caller, () => compareManifest(request)),
    /** @param changes must be possible changes of existing assets */
    async assessChanges(workspace: Workspace, changes: readonly Change[], caller: Caller): Promise<WhatIfReport> {
      const assessing = assessingFor(workspace, caller);
      const reach = await assessAlone(assessing, changes);
      const nothing = { isGone: () => false, supposeFor: () => Promise.resolve(null) };
      const failing = createFailingJoin(null);
      const joint = await joinRemaining(assessing, reach, nothing, failing);
      const asOf = await findOldestCrawl(workspace, joint);
      const unchanged = { lapses: NO_LAPSES, lineage: NO_LINEAGE_CHANGES, rewritten: NOTHING_REWRITTEN };
      const nothingElse = { against: "", uncompared: [], ...unchanged };
      return { ...joint, ...nothingElse, checks: failing.finish(joint, nothing.isGone), asOf };
    },
  };
}

function isUnread({ stage, severity }: CrawlError): boolean {
  return stage === "parse" && severity === "error";
}

/** Names in the manifest that could not be read. They must not count as dropped. */
function unreadNames({ errors }: NewStatements): Set<string> {
  return new Set(errors.filter(isUnread).flatMap(({ object }) => [object, lastPart(object)]));
}

/** What a fault of the manifest and the comparison both tell is told once, by the fault, which says why. */
function listUncompared({ uncompared }: ChangeSet, { errors }: NewStatements, { nodes }: PresentProject): Uncompared[] {
  const assets = [...nodes.values()].filter(({ sourceId }) => sourceId !== "");
  const names = new Map(assets.map(({ sourceId, fqn }) => [sourceId, fqn]));
  const namesOf = (object: string): string[] => {
    const all = object.endsWith(".*") ? assets.filter(({ sourceId }) => isAmong(new Set([object]), sourceId)) : null;
    return all?.map(({ fqn }) => fqn) ?? [names.get(object) ?? object];
  };
  const faults = errors.filter(({ severity }) => severity === "error");
  const told = faults.flatMap((fault) => {
    const { object, message } = fault;
    const kind = object.startsWith("model.") ? "model" : "object";
    const unread = isUnread(fault) ? kind : null;
    return namesOf(object).map((name): Uncompared => ({ object: name, message, unread }));
  });
  const unread = new Set(told.flatMap((each) => (each.unread === null ? [] : [each.object])));
  return [...uncompared.filter((each) => each.unread === null || !unread.has(each.object)), ...told];
}
