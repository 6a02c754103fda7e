/** Finds the places of datasets, and joins what is said about each of them under all of its names. */
import type { NodeRef } from "../../catalog/identity.ts";
import { subjectOf } from "./bodies.ts";
import { type DatasetFacts, joinFacts, type KeptDataset } from "./kept.ts";
import { type DatasetName, isPath, toDatasetRef } from "./naming.ts";
import type { OpenLineageOptions } from "./options.ts";

export interface DescribedDataset {
  ref: NodeRef;
  subject: string;
  facts: DatasetFacts;
}

interface Described {
  /** Each dataset once, in the order of their first names. */
  datasets: DescribedDataset[];
  /** Finds the place of a dataset by any of its names. */
  refOf: (name: DatasetName) => NodeRef;
}

/** If a dataset's name is a path and the dataset is also a table, the name of the table is its identity. */
export function describeDatasets(given: readonly KeptDataset[], options: OpenLineageOptions): Described {
  const names = Map.groupBy(given, keyOf);
  const refs = new Map<string, NodeRef>();
  for (const [key, all] of names) {
    const table = joinFacts(all.map(({ facts }) => facts)).table?.value ?? null;
    const [own] = all;
    if (own === undefined) continue;
    refs.set(key, toDatasetRef(table !== null && isPath(own) ? table : own, options));
  }
  const refOf = (name: DatasetName): NodeRef => refs.get(keyOf(name)) ?? toDatasetRef(name, options);
  const bySubject = Map.groupBy(given, (dataset) => subjectOf(refOf(dataset)));
  const datasets = [...bySubject].flatMap(([subject, all]) => {
    const [first] = all;
    return first === undefined ? [] : [{ ref: refOf(first), subject, facts: joinFacts(all.map(({ facts }) => facts)) }];
  });
  return { datasets, refOf };
}

function keyOf({ namespace, name }: DatasetName): string {
  return `${namespace}\n${name}`;
}
