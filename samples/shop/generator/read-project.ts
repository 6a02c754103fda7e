/** Reads the dbt project in this sample's folder; the one place that touches its files. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

import { propertyFile } from "./properties.ts";
import type {
  Exposure,
  Group,
  Metric,
  Model,
  PropertyFile,
  Relation,
  SemanticModel,
  Snapshot,
  Source,
} from "./properties.ts";

/** Something that a property file describes, and the file's path in the project. */
export interface Described<T> {
  properties: T;
  path: string;
}

/** A text of its own that a property file describes: a model's SQL or a seed's rows. */
export interface Written<T> extends Described<T> {
  textPath: string;
  text: string;
}

export interface TextFile {
  path: string;
  text: string;
}

export interface Project {
  /** The `models:` and `seeds:` trees of dbt_project.yml. */
  folderSettings: { models: unknown; seeds: unknown };
  sources: Described<Source>[];
  models: Written<Model>[];
  seeds: Written<Relation>[];
  snapshots: Described<Snapshot>[];
  exposures: Described<Exposure>[];
  groups: Described<Group>[];
  semanticModels: Described<SemanticModel>[];
  metrics: Described<Metric>[];
  macros: TextFile[];
  glossary: TextFile;
}

const projectFile = z.object({ models: z.object({ shop: z.unknown() }), seeds: z.object({ shop: z.unknown() }) });

/**
 * @param folder the folder that holds dbt_project.yml.
 * @throws Error or ZodError where a file is missing or says something that this project has no use for.
 */
export function readProject(folder: string): Project {
  const read = (path: string): TextFile => ({ path, text: readFileSync(join(folder, path), "utf8") });
  // Sorted, so that the artifacts are the same wherever they are made.
  const find = (pattern: string): string[] => globSync(pattern, { cwd: folder }).toSorted();

  const described = find("{models,seeds,snapshots}/**/*.yml").map((path) => ({
    path,
    file: propertyFile.parse(parse(read(path).text)),
  }));
  const collect = <T>(list: (file: PropertyFile) => T[]): Described<T>[] =>
    described.flatMap(({ path, file }) => list(file).map((properties) => ({ properties, path })));
  const withText = <T extends { name: string }>(things: Described<T>[], extension: string): Written<T>[] =>
    things.map((thing) => {
      const text = read(join(dirname(thing.path), `${thing.properties.name}${extension}`));
      return { properties: thing.properties, path: thing.path, textPath: text.path, text: text.text };
    });

  const models = withText(
    collect((file) => file.models),
    ".sql",
  );
  const undescribed = find("models/**/*.sql").filter(
    (path) => !models.some((model) => model.properties.name === basename(path, ".sql")),
  );
  if (undescribed.length > 0) throw new Error(`No property file describes ${undescribed.join(", ")}`);

  const settings = projectFile.parse(parse(read("dbt_project.yml").text));
  return {
    folderSettings: { models: settings.models.shop, seeds: settings.seeds.shop },
    sources: collect((file) => file.sources),
    models,
    seeds: withText(
      collect((file) => file.seeds),
      ".csv",
    ),
    snapshots: collect((file) => file.snapshots),
    exposures: collect((file) => file.exposures),
    groups: collect((file) => file.groups),
    semanticModels: collect((file) => file.semantic_models),
    metrics: collect((file) => file.metrics),
    macros: find("macros/*.sql").map(read),
    glossary: read("models/glossary.md"),
  };
}
