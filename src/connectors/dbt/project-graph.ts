/** What of a project has been stated, by dbt's unique ids, and which edges are still to be. */
import { isDeepStrictEqual } from "node:util";

import type { EdgeKind } from "../../catalog/edge.ts";
import { nodeId, type NodeRef } from "../../catalog/identity.ts";
import { pickSpelling } from "../../catalog/spelling.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { isStorableName } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent, warningEvent } from "./faults.ts";

/** Edges into one node: from what its `depends_on` names. */
interface Dependency {
  object: string;
  to: NodeRef;
  kind: EdgeKind;
  from: readonly string[];
}

/** Unique ids of these begin things that are, or stand for, nodes of the catalog; tests, macros and the like do not. */
const STATED_RESOURCES = new Set(["model", "seed", "snapshot", "source", "exposure", "metric", "semantic_model"]);

/** What keeps an identity. */
interface Stated {
  object: string;
  ref: NodeRef;
  stored: readonly string[] | null;
}

interface Stating {
  /** Of the edges that lead into it. */
  kind?: EdgeKind;
  /** The unique ids of what it depends on. */
  from?: readonly string[];
  /** Its parts as the platform stores them, where that is known: names that differ only in case may be different things. */
  stored?: readonly string[] | null;
}

export class ProjectGraph {
  readonly #refs = new Map<string, NodeRef>();
  readonly #stated = new Map<string, Stated>();
  readonly #dependencies: Dependency[] = [];
  /** Unique ids of what has a name that another thing keeps. */
  readonly #leftOut = new Set<string>();

  /**
   * States an asset, and notes the edges that lead into it. Of several with one identity one is stated: of those that are one
   * relation a model before a source, and of those whose names differ only in case what SQL without quotes means.
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
    // Copied, since what is kept must not keep the file's chunks alive.
    const kept = structuredClone({ object, ref: asset.ref, stored, kind, from });
    const facts = { ...asset.facts, sourceId: object };
    const whole = { ...asset, columns, columnsUnseen: unseen.filter(isStorable), facts };
    const first = this.#stated.get(identityOf(kept.ref));
    if (first !== undefined && areAlike(first, kept)) {
      yield* this.#stateOneOf(first, kept, whole);
    } else {
      if (first !== undefined) yield duplicateIdentity(first, kept);
      if (first === undefined || isBuiltInstead(first, kept)) yield* this.#stateAs(kept, whole);
    }
    this.#refs.set(kept.object, this.#stated.get(identityOf(kept.ref))?.ref ?? kept.ref);
    this.#dependencies.push({ object: kept.object, to: kept.ref, kind: kept.kind, from: kept.from });
  }

  *#stateAs(stated: Stated, asset: AssetStatement): Generator<CrawlEvent> {
    this.#stated.set(identityOf(stated.ref), stated);
    yield { kind: "asset", asset };
  }

  /** Of two whose names differ only in case. */
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

  /** Lets a unique id stand for what another one, or a relation, states: a semantic model for its model. */
  alias(object: string, target: NodeRef): void {
    this.#refs.set(object, target);
  }

  findById(uniqueId: string): NodeRef | null {
    return this.#leftOut.has(uniqueId) ? null : (this.#refs.get(uniqueId) ?? null);
  }

  /** The table or model of these parts. */
  findRelation(
    { platform, instance }: Pick<NodeRef, "platform" | "instance">,
    parts: readonly string[],
  ): NodeRef | null {
    return this.#stated.get(identityOf({ platform, instance, type: "table", parts }))?.ref ?? null;
  }

  /** All edges, once everything is stated; an error for each end that the manifest does not have. */
  *edges(): Generator<CrawlEvent> {
    for (const { object, to, kind, from } of this.#dependencies) {
      if (this.#leftOut.has(object)) continue;
      const found = new Set<NodeRef>();
      for (const id of new Set(from)) {
        const ref = this.findById(id);
        if (ref !== null) found.add(ref);
        else if (STATED_RESOURCES.has(id.slice(0, id.indexOf(".")))) yield missingReference(object, id);
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
  const message = `${object} has the name ${JSON.stringify(name)}, which is empty or holds characters that cannot be stored.`;
  return { code: "invalid_name", object, stage: "parse", message } as const;
}

function spellingOf({ stored, ref }: Stated): readonly string[] {
  return stored ?? ref.parts;
}

/** Whether they are two things for the platform. */
function areAlike(first: Stated, next: Stated): boolean {
  return first.stored !== null && next.stored !== null && !isDeepStrictEqual(first.stored, next.stored);
}

/** What nobody builds is only read, whatever the manifest has first. */
function isBuiltInstead(first: Stated, next: Stated): boolean {
  return next.ref.type === "model" && first.ref.type === "table";
}

function duplicateIdentity(first: Stated, next: Stated): CrawlEvent {
  const [hidden, shown] = isBuiltInstead(first, next) ? [first, next] : [next, first];
  const message = `${hidden.object} is the same ${shown.ref.type} as ${shown.object}, ${shown.ref.parts.join(".")}; the latter is shown.`;
  return warningEvent({ code: "duplicate_identity", object: hidden.object, stage: "resolve", message });
}

/** Within one project, one platform and one instance. */
function identityOf(ref: NodeRef): string {
  return nodeId("", ref);
}
