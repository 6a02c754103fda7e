import { readFile, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { systemRandom } from "../../../src/clock.ts";
import { type MetadataStore, openMetadataStore } from "../../../src/metadata/store.ts";
import { createTestClock } from "../../support/clock.ts";
import { makeTemporaryFolder, openTestMetadata, pathOf, TEST_SECRET_KEY } from "../../support/metadata-store.ts";

function open(path: string): Promise<MetadataStore> {
  const url = { kind: "sqlite", path } as const;
  return openMetadataStore({ url, secretKey: TEST_SECRET_KEY, clock: createTestClock(), random: systemRandom });
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

describe("Opening the file of an embedded metadata store", () => {
  it("A metadata file of the first version is migrated to the newest, and keeps its content", async () => {
    const { store, url, workspace, admin, openAgain, addConnector } = await openTestMetadata();
    const connector = await addConnector("shop");
    await store.close();
    change(
      pathOf(url),
      `DROP TABLE user_items; DROP TABLE saved_impacts; DROP TABLE workers; DROP TABLE store; DROP TABLE inbox_messages; DROP TABLE inbox_subjects; ALTER TABLE connectors DROP COLUMN received_at;
      DROP TABLE column_lineage; DROP TABLE audit_events; DROP TABLE access_tokens; DROP TABLE client_secrets; DROP TABLE service_accounts;
      ALTER TABLE api_keys DROP COLUMN last_used_at; ALTER TABLE api_keys DROP COLUMN networks;
      DROP TABLE sessions; DROP TABLE login_links; DROP INDEX users_identity; DROP INDEX users_address;
      ALTER TABLE users DROP COLUMN name; ALTER TABLE users DROP COLUMN password;
      ALTER TABLE users DROP COLUMN sso_issuer; ALTER TABLE users DROP COLUMN sso_subject;
      ALTER TABLE users DROP COLUMN last_login_at; ALTER TABLE users DROP COLUMN logins_ended_at;
      ALTER TABLE users DROP COLUMN grants; ALTER TABLE users DROP COLUMN disabled_at;
      ALTER TABLE workspaces DROP COLUMN rate_limit_per_minute; ALTER TABLE workspaces DROP COLUMN allowlist;
      ALTER TABLE workspaces DROP COLUMN max_token_lifetime_seconds;
      ALTER TABLE workspaces DROP COLUMN audit_retention_days;
      ALTER TABLE connectors DROP COLUMN known_as; ALTER TABLE connectors DROP COLUMN options_changed_at;
      ALTER TABLE connectors DROP COLUMN disabled_at; ALTER TABLE connectors DROP COLUMN removing_at;
      ALTER TABLE syncs DROP COLUMN cancel_requested_at;
      DROP INDEX connectors_due; DROP INDEX syncs_completed;
      ALTER TABLE connectors DROP COLUMN cron; ALTER TABLE connectors DROP COLUMN time_zone;
      ALTER TABLE connectors DROP COLUMN next_run_at; ALTER TABLE connectors DROP COLUMN removal_share;
      ALTER TABLE connectors DROP COLUMN runs;
      ALTER TABLE syncs DROP COLUMN confirm_removal; ALTER TABLE syncs DROP COLUMN run;
      ALTER TABLE syncs DROP COLUMN unkept; ALTER TABLE syncs DROP COLUMN failed_tries; ALTER TABLE syncs DROP COLUMN next_try_at;
      DROP TABLE notices; DROP TABLE notice_cursors; DROP TABLE notice_opt_outs; ALTER TABLE workspaces DROP COLUMN default_rule_at; DROP TABLE notice_rules; DROP TABLE notice_events;
      DROP TABLE aspects; ALTER TABLE connectors DROP COLUMN unread_since;
      ALTER TABLE connectors DROP COLUMN aspects_at; ALTER TABLE connectors DROP COLUMN aspect_bytes;
      DELETE FROM migrations WHERE name > '0002'`,
    );
    const again = await openAgain();
    expect(await again.workspaces.list()).toEqual([workspace]);
    expect(await again.users.list(workspace.id)).toEqual([admin]);
    expect(await again.connectors.findById(workspace.id, connector.id)).toEqual({ ...connector, removalShare: 40 });
    expect(await again.security.get(workspace.id)).toEqual({
      rateLimitPerMinute: 1_000,
      allowlist: [],
      maxTokenLifetimeSeconds: null,
    });
  });

  it("A file of another application is refused as metadata store", async () => {
    const path = join(await makeTemporaryFolder(), "other.db");
    change(path, "CREATE TABLE notes (text TEXT)");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message:
        "The metadata store belongs to another application, or to an older version of Tributary whose files are no longer read.",
      location: path,
    });
  });

  it("A metadata file that a newer version wrote is refused", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    await (await open(path)).close();
    change(path, "INSERT INTO migrations VALUES ('9999_later', '2030-01-01T00:00:00.000Z')");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("newer version of Tributary"),
    });
  });

  it("A file that is not a database is refused as metadata store", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    await writeFile(path, "not a database, but long enough to be looked at as if it were one ".repeat(100));
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("damaged"),
    });
  });

  it("A metadata file with damaged pages is refused", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    const store = await open(path);
    for (let i = 0; i < 50; i++) await store.workspaces.create({ name: `workspace-${i}`, kind: "live" });
    await store.close();
    change(path, "PRAGMA journal_mode = DELETE");
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x5a, 4_096, 12_288));
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("damaged"),
    });
  });

  it("Opening a metadata file reports that its folder does not exist", async () => {
    const path = join(await makeTemporaryFolder(), "nowhere", "metadata.db");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cannot be opened"),
    });
  });
});
