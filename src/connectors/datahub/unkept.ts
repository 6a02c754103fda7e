/** What came and is not kept, or not all of it. Nothing is dropped without a word: each kind is listed and told as a warning. */
import type { AspectRow } from "../../catalog/aspect.ts";
import { MAX_UNKEPT_KINDS, type Unkept } from "../../catalog/crawl.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { warningEvent } from "../faults.ts";

type Left = Pick<AspectRow, "entity" | "urn" | "aspect" | "unkept">;

/** Kinds that are counted one by one: clients may make up any number of names. */
const MAX_COUNTED = 1_000;

/** Counts what is not kept, by its kinds. */
export class UnkeptKinds {
  readonly #kinds = new Map<string, Unkept>();
  /** Entities are read several times. What is unknown is not, and may be much. */
  readonly #told = new Set<string>();

  /** @param row of any kind, also one that is kept */
  add(row: Left): void {
    const { entity, aspect, unkept: why, urn: example } = row;
    const told = `${why} ${aspectOf(row)}`;
    if (why === "" || this.#told.has(told)) return;
    if (why !== "unknown") this.#told.add(told);
    const given = JSON.stringify([why, entity, aspect]);
    const isNamed = this.#kinds.has(given) || this.#kinds.size < MAX_COUNTED;
    const kind = isNamed ? { entity, aspect } : { entity: "", aspect: "" };
    const key = isNamed ? given : why;
    this.#kinds.getOrInsertComputed(key, () => ({ ...kind, why, count: 0, example })).count += 1;
  }

  /** Kinds beyond the limit are one together. */
  *events(): Generator<CrawlEvent> {
    const kinds = [...this.#kinds.values()].toSorted(
      (a, b) => b.count - a.count || compareCodePoints(whatOf(a), whatOf(b)),
    );
    const [listed, others] = [kinds.slice(0, MAX_UNKEPT_KINDS - 1), kinds.slice(MAX_UNKEPT_KINDS - 1)];
    for (const kind of kinds) yield toWarning(kind);
    for (const unkept of listed) yield { kind: "unkept", unkept };
    const [first] = others;
    if (first === undefined) return;
    const count = others.reduce((sum, other) => sum + other.count, 0);
    const rest = others.length === 1 ? first : { ...first, entity: "", aspect: "", count };
    yield { kind: "unkept", unkept: rest };
  }
}

function whatOf({ entity, aspect, why }: Unkept): string {
  return `${entity} ${aspect} ${why}`;
}

function toWarning({ entity, aspect, why, count, example }: Unkept): CrawlEvent {
  const object = `${entity} ${aspect}`.trim();
  const what = `${count === 1 ? "1 proposal" : `${count} proposals`} about ${object || "further kinds"}`;
  const told = {
    unknown: { code: "not_kept", outcome: `came and ${count === 1 ? "is" : "are"} not kept` },
    malformed: { code: "malformed_proposal", outcome: "could not be read, or not in full" },
    cut: { code: "too_many", outcome: "had lists that are too long, of which only the beginnings are kept" },
  };
  const { code, outcome } = told[why];
  return warningEvent({ code, message: `${what} ${outcome}, such as that of ${example}.`, object, stage: "parse" });
}

export function aspectOf({ urn, aspect }: Pick<AspectRow, "urn" | "aspect">): string {
  return `${urn} ${aspect}`;
}
