/**
 * The metadata store on PostgreSQL. The files below test what its statements and transactions decide. They run here once
 * more on this engine.
 */
import { afterAll, beforeAll, describe } from "vitest";

import { openStoresAt } from "../support/metadata-store.ts";
import { hasPostgres } from "../support/postgres.ts";
import { usePostgres } from "../support/postgres-metadata.ts";

const FILES = [
  "unit/metadata/aspects",
  "unit/metadata/audit",
  "unit/metadata/connectors",
  "unit/metadata/inbox",
  "unit/metadata/lineage-answers",
  "unit/metadata/runs",
  "unit/metadata/saved-impacts",
  "unit/metadata/store",
  "unit/metadata/sync-history",
  "unit/metadata/user-lists",
  "unit/metadata/workspaces-and-users",
  "unit/ingest/queue/leases.property",
  "unit/ingest/queue/local",
  "unit/ingest/queue/retries",
  "unit/ingest/receive",
  "unit/ingest/scheduler",
  "unit/ingest/sync-service",
  "unit/notices/deliveries",
  "unit/notices/syncs",
  "unit/auth/api-keys",
  "unit/auth/audit-retention",
  "unit/auth/refusals",
  "unit/auth/security-settings",
  "unit/auth/service-accounts",
  "unit/auth/users",
  "unit/auth/login/sessions",
  "integration/crawl-workers",
  "integration/notice-workers",
];

describe.runIf(hasPostgres)("the metadata store on PostgreSQL", () => {
  const { emptyDatabase } = usePostgres();
  beforeAll(() => openStoresAt(emptyDatabase));
  afterAll(() => openStoresAt());

  describe.each(FILES)("%s", async (file) => {
    // The query makes it another module than the one that tests the embedded store in this process.
    await import(new URL(`../${file}.test.ts?on=postgres`, import.meta.url).href);
  });
});
