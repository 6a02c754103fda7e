/** Everything that SQL can name, found by the words of `ref` and `source`. */
import { configOf } from "./folder-config.ts";
import type { Call } from "./jinja.ts";
import { relationName, uniqueId } from "./names.ts";
import type { Column, Config } from "./properties.ts";
import type { Project } from "./read-project.ts";

export interface PlacedRelation {
  kind: "source" | "model" | "seed" | "snapshot";
  uniqueId: string;
  schema: string;
  name: string;
  /** Qualified and quoted. */
  relationName: string;
  columns: Column[];
  config: Config;
  /** The loader of a source; empty for what dbt builds. */
  loader: string;
}

export interface Relations {
  all: PlacedRelation[];
  /** @throws Error where the project has no such relation. */
  get(call: Call): PlacedRelation;
}

const keyOf = (...names: string[]): string => names.join(".");

export function placeRelations(project: Project): Relations {
  const found = new Map<string, PlacedRelation>();

  const place = (kind: PlacedRelation["kind"], name: string, columns: Column[], config: Config): void => {
    if (config.schema === undefined) throw new Error(`No schema is set for ${name}`);
    found.set(name, {
      kind,
      uniqueId: uniqueId(kind, name),
      schema: config.schema,
      name,
      relationName: relationName(config.schema, name),
      columns,
      config,
      loader: "",
    });
  };

  for (const { properties: source } of project.sources) {
    for (const table of source.tables) {
      found.set(keyOf(source.name, table.name), {
        kind: "source",
        uniqueId: uniqueId("source", source.name, table.name),
        schema: source.schema,
        name: table.name,
        relationName: relationName(source.schema, table.name),
        columns: table.columns,
        config: {
          tags: [...source.config.tags, ...table.config.tags],
          meta: { ...source.config.meta, ...table.config.meta },
        },
        loader: source.loader,
      });
    }
  }
  const { folderSettings } = project;
  for (const { properties, textPath } of project.models) {
    place("model", properties.name, properties.columns, configOf(folderSettings.models, textPath, properties.config));
  }
  for (const { properties, textPath } of project.seeds) {
    place("seed", properties.name, properties.columns, configOf(folderSettings.seeds, textPath, properties.config));
  }
  for (const { properties } of project.snapshots) {
    place("snapshot", properties.name, properties.columns, properties.config);
  }

  return {
    all: [...found.values()],
    get(call) {
      const relation = found.get(keyOf(...call.arguments));
      if (relation === undefined) throw new Error(`Nothing is called ${call.arguments.join(".")}`);
      return relation;
    },
  };
}
