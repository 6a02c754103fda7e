/** Remembers what a project has stated, by dbt's unique ids, and which edges are still to come. */
import { isDeepStrictEqual } from "node:util";

import type { EdgeKind } from "../../catalog/edge.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { pickSpelling } from "../../catalog/spelling.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { isStorableName } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent, warningEvent } from "../faults.ts";
import { identityOf } from "../identity.ts";
import { resourceType, toOneStatement } from "./one-statement.ts";

/** The edges into one node, from the nodes in its `depends_on`. */
interface Dependency {
  object: string;
  to: NodeRef;
  kind: EdgeKind;
  from: readonly string[];
}

/**
 * The first part of a unique id whose resource becomes a node of the catalog or an alias of one. Tests and macros do
 * not.
 */
const STATED_RESOURCES = new Set(["model", "seed", "snapshot", "source", "exposure", "metric", "semantic_model"]);

/** What one resource says about a relation that it shares with others. */
interface Waiting {
  object: string;
  asset: AssetStatement;
  stored: readonly string[] | null;
}

interface Stating {
  /** The kind of the edges into the asset. */
  kind?: EdgeKind;
  /** The unique ids of the resources on which it depends. */
  from?: readonly string[];
  /**
   * Its name parts as the platform stores them, if known. Names that differ only in case may be different relations.
   */
  stored?: readonly string[] | null;
}

export class ProjectGraph {
  readonly #refs = new Map<string, NodeRef>();
  readonly #stated = new Map<string, NodeRef>();
  readonly #dependencies: Dependency[] = [];
  readonly #isShared: (object: string) => boolean;
  /** What several resources say about one relation, by the relation's identity. */
  readonly #waiting = new Map<string, [Waiting, ...Waiting[]]>();
  /** Unique ids of assets that were left out, because another asset has the same name in another case. */
  readonly #leftOut = new Set<string>();

  /** @param shared unique ids of the resources that are one relation with another one: see `findShared` */
  constructor(shared: ReadonlySet<string> = new Set()) {
    this.#isShared = (object) => shared.has(object);
  }

  /**
   * States an asset, and remembers the edges into it. If others share its relation, it waits for them, because a relation
   * is stated once: see `stateShared`.
   * @param object dbt's unique id
   */
  *state(
    object: string,
    asset: AssetStatement,
    { kind = "derives", from = [], stored = null }: Stating = {},
  ): Generator<CrawlEvent> {
    const unstorable = [asset.name, ...asset.ref.parts].find((name) => name === "" || !isStorableName(name));
    if (unstorable !== undefined) {
      yield errorEvent(invalidName(object, unstorable));
      return;
    }
    const unseen = asset.columnsUnseen ?? [];
    for (const { name } of [...asset.columns, ...unseen].filter((column) => !isStorable(column))) {
      yield errorEvent(invalidName(object, name));
    }
    const columns = asset.columns.filter(isStorable);
    const facts = { ...asset.facts, sourceId: object };
    const whole = { ...asset, columns, columnsUnseen: unseen.filter(isStorable), facts };
    // Copied, because a slice would keep the file's whole chunk in memory.
    const dependency = structuredClone({ object, to: asset.ref, kind, from });
    this.#dependencies.push(dependency);
    const identity = identityOf(asset.ref);
    if (this.#isShared(object)) {
      const waiting = structuredClone({ object: dependency.object, asset: whole, stored });
      const others = this.#waiting.get(identity);
      if (others === undefined) this.#waiting.set(identity, [waiting]);
      else others.push(waiting);
      return;
    }
    const first = this.#stated.get(identity);
    this.#refs.set(dependency.object, first ?? dependency.to);
    if (first !== undefined) return;
    this.#stated.set(identity, dependency.to);
    yield { kind: "asset", asset: whole };
  }

  /**
   * States each relation that several resources share once, with what all of them say. Of names that differ only in case,
   * the one that SQL without quotes means is stated. Call it when all relations have been read.
   */
  *stateShared(): Generator<CrawlEvent> {
    for (const [identity, waiting] of this.#waiting) {
      const kept = pickSpelling(waiting[0].asset.ref.platform, waiting, spellingOf);
      const { alike = [], same = [] } = Object.groupBy(waiting, (each) => (areAlike(kept, each) ? "alike" : "same"));
      const asset = toOneStatement(same.map((each) => each.asset));
      this.#stated.set(identity, asset.ref);
      for (const { object } of waiting) this.#refs.set(object, asset.ref);
      yield { kind: "asset", asset };
      yield* warnOfHidden(asset, same);
      for (const other of alike) yield* this.#leaveOut(other, kept);
    }
    this.#waiting.clear();
  }

  *#leaveOut(other: Waiting, kept: Waiting): Generator<CrawlEvent> {
    const spelling = spellingOf(kept).join(".");
    const otherSpelling = spellingOf(other).join(".");
    this.#leftOut.add(other.object);
    yield errorEvent({
      code: "alike_name",
      object: other.object,
      stage: "resolve",
      message: `${other.object} is ${otherSpelling}, which differs from ${spelling} of ${kept.object} only in case; it is left out.`,
    });
    const reason = `${otherSpelling} is left out: its name differs only in case`;
    yield { kind: "gap", asset: kept.asset.ref, reason, alikeName: otherSpelling };
  }

  /** Makes a unique id an alias of a stated node: a semantic model is an alias of its model. */
  alias(object: string, target: NodeRef): void {
    this.#refs.set(object, target);
  }

  findById(uniqueId: string): NodeRef | null {
    return this.#leftOut.has(uniqueId) ? null : (this.#refs.get(uniqueId) ?? null);
  }

  /** Finds the table or model with these name parts. */
  findRelation(
    { platform, instance }: Pick<NodeRef, "platform" | "instance">,
    parts: readonly string[],
  ): NodeRef | null {
    return this.#stated.get(identityOf({ platform, instance, type: "table", parts })) ?? null;
  }

  /**
   * Yields all edges. Call it when everything is stated. Yields an error for each node that the manifest does not have.
   */
  *edges(): Generator<CrawlEvent> {
    for (const { object, to, kind, from } of this.#dependencies) {
      if (this.#leftOut.has(object)) continue;
      const found = new Set<NodeRef>();
      for (const id of new Set(from)) {
        const ref = this.findById(id);
        if (ref !== null) found.add(ref);
        else if (STATED_RESOURCES.has(resourceType(id))) {
          const message = `${object} depends on ${id}, which is missing: it is not in the manifest or could not be read.`;
          yield errorEvent({ code: "missing_reference", object, stage: "resolve", message });
        }
      }
      for (const ref of found) yield { kind: "edge", edge: { from: ref, to, kind }, object };
    }
  }
}

function isStorable({ name }: ColumnStatement): boolean {
  return name !== "" && isStorableName(name);
}

function invalidName(object: string, name: string) {
  const message = `${object} has the name ${JSON.stringify(name)}, which is empty or contains characters that cannot be stored.`;
  return { code: "invalid_name", object, stage: "parse", message } as const;
}

function spellingOf({ stored, asset }: Waiting): readonly string[] {
  return stored ?? asset.ref.parts;
}

/** Whether the platform stores them as two relations whose names differ only in case. */
function areAlike(first: Waiting, next: Waiting): boolean {
  return first.stored !== null && next.stored !== null && !isDeepStrictEqual(first.stored, next.stored);
}

/** If the project builds one relation twice, only the SQL of one is kept. What a source says is kept too. */
function* warnOfHidden({ ref, facts: shown }: AssetStatement, all: readonly Waiting[]): Generator<CrawlEvent> {
  for (const { object } of all) {
    if (object === shown.sourceId || resourceType(object) === "source") continue;
    const message = `${object} is the same ${ref.type} as ${shown.sourceId}, ${ref.parts.join(".")}; the latter's SQL is shown.`;
    yield warningEvent({ code: "duplicate_identity", object, stage: "resolve", message });
  }
}

/**
 * The unique ids of the resources that are one relation with another resource, such as a seed that the project reads as
 * a source too.
 */
export function findShared(relations: Iterable<readonly [uniqueId: string, ref: NodeRef]>): Set<string> {
  const firsts = new Map<string, string>();
  const shared = new Set<string>();
  for (const [id, ref] of relations) {
    const first = firsts.getOrInsert(identityOf(ref), id);
    if (first !== id) shared.add(first).add(id);
  }
  return shared;
}
