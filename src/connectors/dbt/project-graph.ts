/** What of a project has been stated, by dbt's unique ids, and which edges are still to be. */
import type { EdgeKind } from "../../catalog/edge.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { fold, isStorableName } from "../../catalog/text.ts";
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

export class ProjectGraph {
  readonly #refs = new Map<string, NodeRef>();
  /** The unique id that first stated an identity. */
  readonly #stated = new Map<string, string>();
  readonly #dependencies: Dependency[] = [];

  /**
   * States an asset once, whoever names it again, and notes the edges that lead into it.
   * @param object dbt's unique id
   */
  *state(
    object: string,
    asset: AssetStatement,
    kind: EdgeKind = "derives",
    from: readonly string[] = [],
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
    const kept = structuredClone({ object, to: asset.ref, kind, from });
    const first = this.#stated.get(identityOf(kept.to));
    const to = (first === undefined ? null : this.findById(first)) ?? kept.to;
    this.#refs.set(kept.object, to);
    this.#dependencies.push({ ...kept, to });
    if (first === undefined) {
      this.#stated.set(identityOf(kept.to), kept.object);
      yield { kind: "asset", asset: { ...asset, columns, columnsUnseen: unseen.filter(isStorable) } };
    } else {
      const message = `${object} is the same ${asset.ref.type} as ${first}, ${asset.ref.parts.join(".")}; the latter is shown.`;
      yield warningEvent({ code: "duplicate_identity", object, stage: "resolve", message });
    }
  }

  /** Lets a unique id stand for what another one, or a relation, states: a semantic model for its model. */
  alias(object: string, target: NodeRef): void {
    this.#refs.set(object, target);
  }

  findById(uniqueId: string): NodeRef | null {
    return this.#refs.get(uniqueId) ?? null;
  }

  /** The model, else the table, of these parts. */
  findRelation(platform: string, parts: readonly string[]): NodeRef | null {
    for (const type of ["model", "table"] as const) {
      const id = this.#stated.get(identityOf({ platform, instance: "", type, parts }));
      if (id !== undefined) return this.findById(id);
    }
    return null;
  }

  /** All edges, once everything is stated; an error for each end that the manifest does not have. */
  *edges(): Generator<CrawlEvent> {
    for (const { object, to, kind, from } of this.#dependencies) {
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

function identityOf({ type, parts }: NodeRef): string {
  return JSON.stringify([type, ...parts.map(fold)]);
}
