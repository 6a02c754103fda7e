/**
 * An impact on its way from a thread. Its paths share most of their nodes and hops. It is packed, so that each text and each hop
 * is sent once. The event loop unpacks it in a fraction of the time that it takes to copy the objects.
 */
import { CERTIFICATIONS } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import type { Level } from "../../catalog/edge.ts";
import {
  type AffectedNode,
  type Evidence,
  EVIDENCE_KINDS,
  EVIDENCE_TRANSFORMATIONS,
  type Impact,
  RISKS,
} from "../../catalog/impact.ts";
import { type AssetUsage, USAGE_COUNTS } from "../../catalog/usage.ts";
import { type NodeId, toNodeId } from "../../ids.ts";
import { at } from "../packed-list.ts";

const LEVELS = ["asset", "column"] as const satisfies Level[];
const TRANSFORMATIONS_OR_NONE = [...EVIDENCE_TRANSFORMATIONS, ""] as const;

/** The fields of an affected node that are texts. */
const WORDS = ["id", "name", "fqn", "reason", "owner", "ownerName"] as const satisfies (keyof AffectedNode)[];
/** In `texts`, the index of "" says that there is no parent. */
const NO_PARENT = "";
const NO_USAGE = "";
const HOP_WORDS = ["expression", "from", "to"] as const satisfies (keyof Evidence)[];

export interface PackedImpact extends Omit<Impact, "affected"> {
  /** Each once. */
  texts: string[];
  /** For each hop the indexes of its HOP_WORDS in `texts`. */
  hopWords: Uint32Array;
  /** For each hop the indexes of its kind, level and transformation. */
  hopKinds: Uint8Array;
  /** For each affected node the indexes of its WORDS in `texts`. */
  words: Uint32Array;
  /** For each affected node the index of its parent's id in `texts`. */
  parents: Uint32Array;
  /** For each affected node the indexes of its type, certification and risk. */
  kinds: Uint8Array;
  /** For each affected node its USAGE_COUNTS; NaN for one that is not known. */
  counts: Float64Array;
  /** For each affected node the index in `texts` until when its usage is counted; "" if no usage is known. */
  untils: Uint32Array;
  /** For each affected node the number of hops of its path. */
  hops: Uint32Array;
  /** The paths, one after the other: indexes in `texts`. A path has one node more than it has hops. */
  paths: Uint32Array;
  /** The hops of the paths, one after the other: indexes in the list of hops. */
  evidence: Uint32Array;
}

export function packImpact({ affected, ...rest }: Impact): PackedImpact {
  const texts = new Map<string, number>();
  const hops = new Map<Evidence, number>();
  return {
    ...rest,
    words: Uint32Array.from(affected.flatMap((node) => WORDS.map((word) => indexIn(texts, node[word])))),
    parents: Uint32Array.from(affected, ({ parentId }) => indexIn(texts, parentId ?? NO_PARENT)),
    kinds: Uint8Array.from(
      affected.flatMap(({ type, certification, risk }) => [
        NODE_TYPES.indexOf(type),
        CERTIFICATIONS.indexOf(certification),
        RISKS.indexOf(risk),
      ]),
    ),
    counts: Float64Array.from(affected.flatMap(({ usage }) => USAGE_COUNTS.map((count) => usage?.[count] ?? NaN))),
    untils: Uint32Array.from(affected, ({ usage }) => indexIn(texts, usage?.until ?? NO_USAGE)),
    hops: Uint32Array.from(affected, (node) => node.hops),
    paths: Uint32Array.from(affected.flatMap(({ path }) => path.map((id) => indexIn(texts, id)))),
    evidence: Uint32Array.from(affected.flatMap((node) => node.evidence.map((hop) => indexIn(hops, hop)))),
    hopWords: Uint32Array.from([...hops.keys()].flatMap((hop) => HOP_WORDS.map((word) => indexIn(texts, hop[word])))),
    hopKinds: Uint8Array.from(
      [...hops.keys()].flatMap(({ kind, level, transformation }) => [
        EVIDENCE_KINDS.indexOf(kind),
        LEVELS.indexOf(level),
        TRANSFORMATIONS_OR_NONE.indexOf(transformation),
      ]),
    ),
    texts: [...texts.keys()],
  };
}

/** Paths that share a hop share its evidence, too. It yields between hops and between affected nodes. */
export function* unpackImpact(packed: PackedImpact): Generator<void, Impact> {
  const { texts, hopWords, hopKinds, words, parents, kinds, counts, untils, hops, paths, evidence, ...rest } = packed;
  const word = (indexes: Uint32Array, index: number): string => at(texts, indexes[index]);
  const id = (indexes: Uint32Array, index: number): NodeId => toNodeId(word(indexes, index));
  const allEvidence: Evidence[] = [];
  for (let i = 0; i < hopWords.length / HOP_WORDS.length; i++) {
    yield;
    allEvidence.push({
      kind: at(EVIDENCE_KINDS, hopKinds[i * 3]),
      level: at(LEVELS, hopKinds[i * 3 + 1]),
      transformation: at(TRANSFORMATIONS_OR_NONE, hopKinds[i * 3 + 2]),
      expression: word(hopWords, i * HOP_WORDS.length),
      from: id(hopWords, i * HOP_WORDS.length + 1),
      to: id(hopWords, i * HOP_WORDS.length + 2),
    });
  }
  let first = 0;
  const affected: AffectedNode[] = [];
  for (const [i, length] of hops.entries()) {
    yield;
    const [own, start] = [i * WORDS.length, first];
    first += length;
    affected.push({
      id: id(words, own),
      parentId: word(parents, i) === NO_PARENT ? null : id(parents, i),
      name: word(words, own + 1),
      fqn: word(words, own + 2),
      type: at(NODE_TYPES, kinds[i * 3]),
      certification: at(CERTIFICATIONS, kinds[i * 3 + 1]),
      risk: at(RISKS, kinds[i * 3 + 2]),
      reason: word(words, own + 3),
      hops: length,
      path: Array.from({ length: length + 1 }, (__, hop) => id(paths, start + i + hop)),
      evidence: Array.from({ length }, (__, hop) => at(allEvidence, evidence[start + hop])),
      owner: word(words, own + 4),
      ownerName: word(words, own + 5),
      usage: toUsage(word(untils, i), counts.subarray(i * USAGE_COUNTS.length, (i + 1) * USAGE_COUNTS.length)),
    });
  }
  return { ...rest, affected };
}

function toUsage(until: string, counts: Float64Array): AssetUsage | null {
  if (until === NO_USAGE) return null;
  const [users = null, queries = null, views = null] = Array.from(counts, (n) => (Number.isNaN(n) ? null : n));
  return { users, queries, views, until };
}

function indexIn<T>(indexes: Map<T, number>, one: T): number {
  return indexes.getOrInsert(one, indexes.size);
}
