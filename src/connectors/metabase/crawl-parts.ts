/** What the statements of a crawl are made with. */
import type { MetabaseApi } from "./api.ts";
import type { Collection } from "./collections.ts";
import type { MappedDatabase } from "./databases.ts";
import type { Metadata } from "./metadata.ts";
import type { MetabaseOptions } from "./options.ts";

export interface CrawlParts {
  options: MetabaseOptions;
  api: MetabaseApi;
  metadata: Metadata;
  /** @param database its id in Metabase */
  databaseRefOf(database: number): MappedDatabase;
  /** @param id null for the root */
  collectionOf(id: number | null): Collection | null;
}
