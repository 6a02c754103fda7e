/** What would break if a change set were applied: a new dbt manifest, or changes that are named. */
import { resolve } from "node:path";

import type { Change, ChangeSet, NextRelation, RelationState, Uncompared } from "../catalog/change-set/change.ts";
import { compareProjects } from "../catalog/change-set/compare-projects.ts";
import { type ChangeImpact, type JointImpact, joinImpacts } from "../catalog/change-set/join-impact.ts";
import type { Impact, Supposition } from "../catalog/impact.ts";
import { fold } from "../catalog/text.ts";
import { excerpt } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { CrawlFailure } from "../connectors/connector.ts";
import type { FindConnectorType } from "../crawl/connector-types.ts";
import { createElsewhereLoader } from "../crawl/elsewhere.ts";
import { createStatementReader } from "../crawl/statement-reader.ts";
import { AppError, badField } from "../errors.ts";
import type { CatalogGraph, GraphReader } from "../graph/catalog-graph.ts";
import type { Connector, Workspace } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { findAdaptation } from "./adaptation.ts";
import { lastPart } from "./lineage-index.ts";
import { gatherStatements, type NewStatements } from "./new-statements.ts";
import { readNewProject } from "./new-project.ts";
import { addOrigins, loadPresentProject } from "./present-project.ts";
import { createRememberedAnswers } from "./remembered-answers.ts";

/** The type of connector whose artifacts are compared. */
const COMPARED_TYPE = "dbt";

export interface WhatIfReport extends JointImpact {
  /** What the comparison could not tell. */
  uncompared: Uncompared[];
}

interface ManifestRequest {
  workspace: Workspace;
  /** On whose behalf it is compared. */
  caller: Caller;
  /** The name or id of the connector that crawls the project. */
  against: string;
  /** Paths. */
  manifest: string;
  catalog?: string | undefined;
  /** More changes than this are refused; any number, if left out. */
  maxChanges?: number;
}

export interface WhatIf {
  /**
   * Compares a dbt project's new manifest with what is crawled of it.
   * @throws AppError `not_found` for a connector that there is not, `conflict` for one that was not crawled,
   *   `bad_request` for a manifest that cannot be read or compared
   */
  assessManifest(request: ManifestRequest): Promise<WhatIfReport>;
  /** @param changes of assets that there are, each one that can happen to it */
  assessChanges(workspace: Workspace, changes: readonly Change[], caller: Caller): Promise<WhatIfReport>;
}

export interface WhatIfOptions {
  graph: Pick<CatalogGraph, "readerFor">;
  store: Pick<MetadataStore, "connectors" | "lineageAnswers">;
  sqlLineage: Pick<SqlLineage, "resolve">;
  findConnectorType: FindConnectorType;
  clock: Clock;
  /** Of each change at most this many affected things are kept. */
  maxAffected: number;
}

/** The graph, as it is read for a caller. */
interface Reading {
  caller: Caller;
  graph: GraphReader;
}

export function createWhatIf({
  graph: sharedGraph,
  store,
  sqlLineage,
  findConnectorType,
  clock,
  maxAffected,
}: WhatIfOptions): WhatIf {
  const reader = createStatementReader(sqlLineage, createRememberedAnswers(store.lineageAnswers));

  async function getConnector({ id }: Workspace, nameOrId: string): Promise<Connector> {
    const found = (await store.connectors.findByName(id, nameOrId)) ?? (await store.connectors.findById(id, nameOrId));
    if (found === null)
      throw new AppError("not_found", `There is no connector ${excerpt(nameOrId)} in this workspace.`);
    if (found.type === COMPARED_TYPE) return found;
    throw badField("against", `${found.name} is a connector of type ${found.type}; only dbt projects can be compared`);
  }

  async function readStatements(
    { workspace, caller, manifest, catalog }: ManifestRequest,
    { type: name }: Connector,
  ): Promise<NewStatements> {
    const type = findConnectorType(name);
    if (!type) throw new Error(`no connector type is called ${name}`);
    const options = await type.options.safeParseAsync({ manifest, ...(catalog === undefined ? {} : { catalog }) });
    if (!options.success) {
      const [issue] = options.error.issues;
      throw badField(issue?.path.join(".") ?? "manifest", issue?.message ?? "is not valid");
    }
    const statements = await gatherStatements(type, options.data, {
      workspace: workspace.name,
      signal: caller.signal,
      now: clock.now,
    });
    // A crawl goes on without its catalog; whoever names one here means it to be used.
    const fault = statements.errors.find(({ place }) => catalog !== undefined && place === resolve(catalog));
    if (fault !== undefined) throw badField("catalog", fault.message, new CrawlFailure(fault));
    return statements;
  }

  async function assess(
    { caller, graph }: Reading,
    workspace: Workspace,
    change: Change,
    supposing?: Supposition,
  ): Promise<Impact> {
    const impact = await graph.assessImpact(workspace.id, {
      root: change.id,
      change: change.changeType,
      newType: change.changeType === "type_change" ? change.newType || null : null,
      asWhole: change.kind === "asset_dropped" || change.kind === "asset_moved",
      maxAffected,
      ...(supposing === undefined ? {} : { supposing }),
    });
    if (impact === null) throw new AppError("conflict", `${change.fqn} vanished while it was looked at; try again.`);
    caller.charge?.(impact.affected.reduce((rows, { path }) => rows + path.length, 0));
    return impact;
  }

  async function assessAll(
    reading: Reading,
    workspace: Workspace,
    changes: readonly Change[],
    supposeFor: (change: Change) => Supposition | undefined,
  ): Promise<Impact[]> {
    const impacts: Impact[] = [];
    for (const change of changes) impacts.push(await assess(reading, workspace, change, supposeFor(change)));
    return impacts;
  }

  return {
    async assessManifest(request) {
      const { workspace, caller, against, maxChanges = Infinity } = request;
      const graph = sharedGraph.readerFor(caller);
      const connector = await getConnector(workspace, against);
      const held = { workspace: workspace.id, connector: connector.name };
      const present = await loadPresentProject(graph, held, connector.options["catalog"] === undefined);
      if (present.relations.length === 0) throw notCrawled(connector);
      const statements = await readStatements(request, connector);
      const byFqn = new Map(present.relations.map((relation) => [fold(relation.fqn), relation]));
      const next = await readNewProject(statements, byFqn, {
        workspace: workspace.name,
        reader,
        caller,
        loadElsewhere: createElsewhereLoader(graph, { ...held, connectorName: held.connector }, workspace.name),
      });
      if (!isCompiled(present.relations, next.relations)) throw notCompiled();
      const names = new Map(
        next.relations.map(({ fqn, columns }) => [fold(fqn), new Set(columns.map(({ name }) => fold(name)))]),
      );
      const found = compareProjects(
        await addOrigins(graph, workspace.id, present, names),
        next.relations,
        unreadNames(statements),
      );
      const { changes } = found;
      const gone = changes.filter(({ kind }) => kind === "asset_dropped").length;
      if (gone === present.relations.length) throw ofAnotherProject(connector, gone);
      if (changes.length > maxChanges) throw tooManyChanges(changes.length, maxChanges);
      const all = await assessAll({ caller, graph }, workspace, changes, () => undefined);
      const affected = [...new Set(all.flatMap((impact) => impact.affected.map(({ id }) => id)))];
      const adaptation = await findAdaptation(
        graph,
        workspace.id,
        { affected, changes },
        { lineage: next.lineage, follows: found.follows, nodes: present.nodes },
      );
      const left = await assessAll({ caller, graph }, workspace, changes, adaptation.supposeFor);
      const joint = joinImpacts(pair(changes, all, left), adaptation.isGone);
      return { ...joint, uncompared: tellUncompared(found, statements) };
    },
    async assessChanges(workspace, changes, caller) {
      const reading = { caller, graph: sharedGraph.readerFor(caller) };
      const impacts = await assessAll(reading, workspace, changes, () => undefined);
      return { ...joinImpacts(pair(changes, impacts, impacts), () => false), uncompared: [] };
    },
  };
}

function pair(changes: readonly Change[], all: readonly Impact[], left: readonly Impact[]): ChangeImpact[] {
  return changes.flatMap((change, i) => {
    const [before, after] = [all[i], left[i]];
    return before === undefined || after === undefined ? [] : [{ change, all: before, left: after }];
  });
}

/** What is in the manifest and could not be read: it is not gone. */
function unreadNames({ errors }: NewStatements): Set<string> {
  return new Set(
    errors
      .filter(({ stage, severity }) => stage === "parse" && severity === "error")
      .map(({ object }) => lastPart(object)),
  );
}

function tellUncompared({ uncompared }: ChangeSet, { errors }: NewStatements): Uncompared[] {
  const faults = errors.filter(({ severity }) => severity === "error");
  return [...uncompared, ...faults.map(({ object, message }) => ({ object, message }))];
}

function notCrawled({ name }: Connector): AppError {
  return new AppError(
    "conflict",
    `There is nothing of ${name} in the catalog to compare with; tributary sync ${name} crawls it.`,
  );
}

/** Whether there is anything to see of how the models would be: what parses a project alone writes none of its SQL. */
function isCompiled(present: readonly RelationState[], next: readonly NextRelation[]): boolean {
  const models = next.filter(({ type }) => type === "model");
  return (
    models.length === 0 ||
    models.some(({ sql, unread }) => sql !== null || unread === null) ||
    present.every(({ sql }) => sql === null)
  );
}

function notCompiled(): AppError {
  return badField("manifest", "holds no compiled SQL of any model; dbt compile writes it");
}

function ofAnotherProject({ name }: Connector, count: number): AppError {
  return badField("manifest", `holds none of the ${count} tables and models of ${name}: it is of another project`);
}

function tooManyChanges(found: number, allowed: number): AppError {
  return badField(
    "manifest",
    `makes ${found} changes, and at most ${allowed} are assessed at once; use tributary impact`,
  );
}
