/** The manifest's nodes for source tables. */
import { describe } from "./glossary.ts";
import type { Glossary } from "./glossary.ts";
import { CREATED_AT, DATABASE, PROJECT, fullName } from "./names.ts";
import type { Source } from "./properties.ts";
import type { Described } from "./read-project.ts";
import { columnNodes } from "./relation-nodes.ts";
import type { Relations } from "./relations.ts";

const NO_PERIOD = { count: null, period: null };
const NO_FRESHNESS = { warn_after: NO_PERIOD, error_after: NO_PERIOD, filter: null };

/** One node for each table of the source. */
export function sourceNodes({ properties: source, path }: Described<Source>, relations: Relations, glossary: Glossary) {
  return source.tables.map((table) => {
    const { config, uniqueId, relationName } = relations.get({ name: "source", arguments: [source.name, table.name] });
    const loadedAt = { loaded_at_field: source.loaded_at_field ?? null, loaded_at_query: null };
    const words = describe(table.description, glossary);
    return {
      database: DATABASE,
      schema: source.schema,
      name: table.name,
      resource_type: "source",
      package_name: PROJECT,
      path,
      original_file_path: path,
      unique_id: uniqueId,
      fqn: fullName(path, source.name, table.name),
      source_name: source.name,
      source_description: source.description,
      loader: source.loader,
      identifier: table.name,
      quoting: { database: null, schema: null, identifier: null, column: null },
      ...loadedAt,
      freshness: NO_FRESHNESS,
      external: null,
      description: words.description,
      columns: columnNodes(table.columns, glossary),
      meta: config.meta,
      source_meta: source.config.meta,
      tags: config.tags,
      config: {
        enabled: true,
        event_time: null,
        freshness: NO_FRESHNESS,
        ...loadedAt,
        meta: config.meta,
        tags: config.tags,
      },
      patch_path: null,
      unrendered_config: source.config,
      relation_name: relationName,
      created_at: CREATED_AT,
      unrendered_database: null,
      unrendered_schema: source.schema,
      doc_blocks: words.doc_blocks,
    };
  });
}
