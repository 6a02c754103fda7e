/** Remembers what a project has stated, by dbt's unique ids, and which edges are still to come. */
import { isDeepStrictEqual } from "node:util";

import type { EdgeKind } from "../../catalog/edge.ts";
import { nodeId, type NodeRef } from "../../catalog/identity.ts";
import { pickSpelling } from "../../catalog/spelling.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { isStorableName } from "../../catalog/text.ts";
import { toWorkspaceName } from "../../ids.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent } from "./faults.ts";
import { resourceType } from "./one-statement.ts";

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

/** An asset that was stated. It owns its identity. */
interface Stated {
  object: string;
  ref: NodeRef;
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
  readonly #stated = new Map<string, Stated>();
  readonly #dependencies: Dependency[] = [];
  /** Unique ids of the resources that state one relation, by its identity, where there are several. */
  readonly #shared = new Map<string, Set<string>>();
  /** Unique ids of assets that were left out, because another asset has the same name in another case. */
  readonly #leftOut = new Set<string>();

  /**
   * States an asset, and remembers the edges into it. If several assets have one identity, only one is stated for now: of
   * a model and a source for the same relation, the model; of names that differ only in case, the one that SQL without
   * quotes means. `shared` names those that say more of what is stated.
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
    // Copied, because a slice would keep the file's whole chunk in memory.
    const kept = structuredClone({ object, ref: asset.ref, stored, kind, from });
    const facts = { ...asset.facts, sourceId: object };
    const whole = { ...asset, columns, columnsUnseen: unseen.filter(isStorable), facts };
    const first = this.#stated.get(identityOf(kept.ref));
    if (first !== undefined && areAlike(first, kept)) {
      yield* this.#stateOneOf(first, kept, whole);
    } else {
      if (first !== undefined) {
        this.#shared.getOrInsertComputed(identityOf(kept.ref), () => new Set([first.object])).add(kept.object);
      }
      if (first === undefined || isBuiltInstead(first, kept)) yield* this.#stateAs(kept, whole);
    }
    this.#refs.set(kept.object, this.#stated.get(identityOf(kept.ref))?.ref ?? kept.ref);
    this.#dependencies.push({ object: kept.object, to: kept.ref, kind: kept.kind, from: kept.from });
  }

  *#stateAs(stated: Stated, asset: AssetStatement): Generator<CrawlEvent> {
    this.#stated.set(identityOf(stated.ref), stated);
    yield { kind: "asset", asset };
  }

  /** States one of two assets whose names differ only in case. */
  *#stateOneOf(first: Stated, next: Stated, asset: AssetStatement): Generator<CrawlEvent> {
    const kept = pickSpelling(next.ref.platform, [first, next], spellingOf);
    const other = kept === first ? next : first;
    const [spelling, otherSpelling] = [kept, other].map((one) => spellingOf(one).join("."));
    const reason = `${otherSpelling} is left out: its name differs only in case`;
    this.#leftOut.add(other.object);
    yield errorEvent({
      code: "alike_name",
      object: other.object,
      stage: "resolve",
      message: `${other.object} is ${otherSpelling}, which differs from ${spelling} of ${kept.object} only in case; it is left out.`,
    });
    if (kept === next) yield* this.#stateAs(next, asset);
    yield { kind: "gap", asset: kept.ref, reason };
  }

  /** Makes a unique id an alias of a stated node: a semantic model is an alias of its model. */
  alias(object: string, target: NodeRef): void {
    this.#refs.set(object, target);
  }

  /** The unique ids of resources that state one relation, for each relation that several state. */
  shared(): ReadonlySet<string>[] {
    return [...this.#shared.values()];
  }

  findById(uniqueId: string): NodeRef | null {
    return this.#leftOut.has(uniqueId) ? null : (this.#refs.get(uniqueId) ?? null);
  }

  /** Finds the table or model with these name parts. */
  findRelation(
    { platform, instance }: Pick<NodeRef, "platform" | "instance">,
    parts: readonly string[],
  ): NodeRef | null {
    return this.#stated.get(identityOf({ platform, instance, type: "table", parts }))?.ref ?? null;
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
        else if (STATED_RESOURCES.has(resourceType(id))) yield missingReference(object, id);
      }
      for (const ref of found) yield { kind: "edge", edge: { from: ref, to, kind }, object };
    }
  }
}

function isStorable({ name }: ColumnStatement): boolean {
  return name !== "" && isStorableName(name);
}

function missingReference(object: string, missing: string): CrawlEvent {
  const message = `${object} depends on ${missing}, which is missing: it is not in the manifest or could not be read.`;
  return errorEvent({ code: "missing_reference", object, stage: "resolve", message });
}

function invalidName(object: string, name: string) {
  const message = `${object} has the name ${JSON.stringify(name)}, which is empty or contains characters that cannot be stored.`;
  return { code: "invalid_name", object, stage: "parse", message } as const;
}

function spellingOf({ stored, ref }: Stated): readonly string[] {
  return stored ?? ref.parts;
}

/** Whether the platform stores them as two relations whose names differ only in case. */
function areAlike(first: Stated, next: Stated): boolean {
  return first.stored !== null && next.stored !== null && !isDeepStrictEqual(first.stored, next.stored);
}

/** Whether the second asset is a model, which the project builds, and the first a source, which it only reads. */
function isBuiltInstead(first: Stated, next: Stated): boolean {
  return next.ref.type === "model" && first.ref.type === "table";
}

/** The project does not know the workspace that it is read into. */
const NO_WORKSPACE = toWorkspaceName("");

/** Unique within one project. */
function identityOf(ref: NodeRef): string {
  return nodeId(NO_WORKSPACE, ref);
}
