/** The file in which the embedded engine stores the graph. */
import { HISTORY } from "./history-schema.ts";
import { LINEAGE_CHANGES } from "./lineage-changes.ts";
import { RESULT_CHANGES } from "./result-changes.ts";
import { migrate, openDatabase, type SqliteDatabase, type StoreFile, toAppError } from "../../sqlite/database.ts";

/** "TrG6" in ASCII. It marks the file as a graph of this product in which parcels hold the syncs of connections. */
const APPLICATION_ID = 0x54724736;

/**
 * `nodes` holds only visible nodes. A node that no connector states or names any more moves to `removed_nodes`. Each
 * row of `claims` and `edges` is what one connector states in one scope. A node is visible while it has a claim. An
 * edge is visible while one of its rows is shown; the rows of connectors that are not the lineage owner are hidden.
 */
const STEPS = [
  `
  CREATE TABLE sources (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    connector TEXT NOT NULL,
    scope TEXT NOT NULL,
    incomplete INTEGER NOT NULL DEFAULT 0, -- whether its last crawl ended early
    run INTEGER NOT NULL DEFAULT 0, -- the last run that wrote in the scope, if each scope has runs of its own
    UNIQUE (workspace, connector, scope)
  ) STRICT;

  CREATE TABLE syncs (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE nodes (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    held INTEGER NOT NULL, -- whether any connector states it
    lineage_owner TEXT, -- the connector whose SQL and lineage are shown
    lineage_status TEXT, -- the status of its column lineage
    gap INTEGER NOT NULL, -- whether lineage of it may be missing
    source_set INTEGER NOT NULL, -- those that state the node
    key TEXT NOT NULL,
    standing INTEGER NOT NULL, -- see standingOf
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    name_prefix TEXT NOT NULL,
    fqn_tail TEXT NOT NULL, -- the folded fqn, reversed, and a dot
    platform TEXT NOT NULL,
    parent TEXT,
    ordinal INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- How many direct consumers the node has; 0 for columns. The transaction that changes its edges counts them again.
    downstream INTEGER NOT NULL DEFAULT 0,
    curation TEXT NOT NULL,
    column_names TEXT NOT NULL,
    shown TEXT NOT NULL,
    usage TEXT, -- JSON
    usage_rank INTEGER NOT NULL DEFAULT 0,
    since INTEGER NOT NULL DEFAULT 0, -- the moment from which on it is shown as it is; 0 if history began later
    UNIQUE (workspace, id)
  ) STRICT;
  CREATE INDEX nodes_by_type ON nodes (workspace, type, key);
  CREATE INDEX assets_by_key ON nodes (workspace, key) WHERE type <> 'metric';
  CREATE INDEX nodes_by_name ON nodes (workspace, name_folded, standing, key);
  CREATE INDEX nodes_by_name_prefix ON nodes (workspace, name_prefix);
  CREATE INDEX nodes_by_fqn_tail ON nodes (workspace, fqn_tail);
  CREATE INDEX nodes_by_parent ON nodes (workspace, parent) WHERE parent IS NOT NULL;
  CREATE INDEX nodes_in_name_order ON nodes (workspace, type, name_folded, key) WHERE type <> 'column';
  CREATE INDEX nodes_in_update_order ON nodes (workspace, type, updated_at DESC, key) WHERE type <> 'column';
  CREATE INDEX nodes_in_downstream_order ON nodes (workspace, type, downstream DESC, key) WHERE type <> 'column';
  CREATE INDEX nodes_in_usage_order ON nodes (workspace, type, usage_rank DESC, key) WHERE type <> 'column';
  -- Counts the folders of the catalog, and never a column.
  CREATE INDEX assets_by_platform ON nodes (workspace, platform, key) WHERE held AND type NOT IN ('column', 'metric');

  -- Sets of sources that state a node. There are few of them, so a walk can note the sources of its nodes as small
  -- numbers.
  CREATE TABLE source_sets (
    seq INTEGER PRIMARY KEY,
    sources TEXT NOT NULL UNIQUE -- JSON, in ascending order
  ) STRICT;

  CREATE TABLE removed_nodes (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    platform TEXT NOT NULL,
    parent TEXT,
    created_at TEXT NOT NULL,
    curation TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE claims (
    seq INTEGER PRIMARY KEY,
    node INTEGER NOT NULL,
    source INTEGER NOT NULL,
    sync INTEGER NOT NULL,
    held INTEGER NOT NULL, -- whether it states the node
    changed_by INTEGER, -- the last sync that changed what is shown by this claim
    first_sync INTEGER NOT NULL, -- the sync that stated the node first in this scope
    since TEXT NOT NULL, -- the time of that
    layer TEXT NOT NULL,
    UNIQUE (node, source)
  ) STRICT;
  CREATE INDEX claims_by_source ON claims (source, sync, node, changed_by);

  CREATE TABLE edges (
    from_node INTEGER NOT NULL,
    to_node INTEGER NOT NULL,
    kind INTEGER NOT NULL, -- its place in EDGE_KINDS
    source INTEGER NOT NULL,
    levels INTEGER NOT NULL, -- bits: 1 asset, 2 column, 4 carries values between columns; times 8 while hidden
    uses TEXT NOT NULL, -- JSON
    parcel INTEGER NOT NULL,
    since INTEGER NOT NULL DEFAULT 0, -- the moment from which on it is stated as it is; 0 if history began later
    PRIMARY KEY (from_node, to_node, kind, source)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX edges_backwards ON edges (to_node, from_node, kind, levels);
  CREATE INDEX edges_by_parcel ON edges (parcel);

  CREATE TABLE facets (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (workspace, kind, value)
  ) STRICT;
  -- With type and key, so that a page of the nodes with a value is one range.
  CREATE TABLE node_facets (
    facet INTEGER NOT NULL,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    node INTEGER NOT NULL,
    PRIMARY KEY (facet, type, key, node)
  ) STRICT, WITHOUT ROWID;

  -- See search-rows.ts.
  CREATE VIRTUAL TABLE search USING fts5 (
    tokens, tokenize = 'ascii', prefix = '7 8 9', detail = none, content = '', contentless_delete = 1
  );
  -- The tokens of the search table in the order of code points, of all workspaces together.
  CREATE VIRTUAL TABLE search_terms USING fts5vocab (search, 'instance');
  -- See search-blocks.ts.
  CREATE TABLE search_blocks (
    workspace TEXT NOT NULL,
    first_key TEXT NOT NULL,
    label INTEGER NOT NULL,
    amount INTEGER NOT NULL, -- of rows
    PRIMARY KEY (workspace, first_key)
  ) STRICT, WITHOUT ROWID;
  -- Each token has the number of its workspace.
  CREATE TABLE search_workspaces (seq INTEGER PRIMARY KEY, workspace TEXT NOT NULL UNIQUE) STRICT;

  -- Both use the metric's id, which stays the same if its row in nodes is removed.
  CREATE TABLE certification_steps (
    workspace TEXT NOT NULL,
    metric TEXT NOT NULL,
    place INTEGER NOT NULL, -- from 1
    step TEXT NOT NULL, -- JSON
    PRIMARY KEY (workspace, metric, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE dependencies (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    metric TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    dependencies TEXT NOT NULL,
    UNIQUE (workspace, metric)
  ) STRICT;

  -- Each row says that the SQL of an asset names a column, as one connector states it in one scope. These are not among
  -- the edges, so that no reader of edges has to leave them out.
  CREATE TABLE column_references (
    from_node INTEGER NOT NULL, -- the column
    to_node INTEGER NOT NULL, -- the asset
    source INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    parcel INTEGER NOT NULL,
    since INTEGER NOT NULL DEFAULT 0, -- the same
    PRIMARY KEY (from_node, to_node, source)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX column_references_backwards ON column_references (to_node);
  CREATE INDEX column_references_by_parcel ON column_references (parcel);

  -- See parcels.ts.
  CREATE TABLE parcels (
    seq INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    sync INTEGER NOT NULL,
    digest BLOB
  ) STRICT;
  CREATE INDEX parcels_by_sync ON parcels (source, sync);
  CREATE UNIQUE INDEX parcels_by_digest ON parcels (source, digest) WHERE digest IS NOT NULL;
  ${parcelTrigger("edge_left_parcel AFTER DELETE ON edges")}
  ${parcelTrigger("edge_changed_parcel AFTER UPDATE OF parcel ON edges WHEN new.parcel <> old.parcel")}
  ${parcelTrigger("reference_left_parcel AFTER DELETE ON column_references")}
  ${parcelTrigger("reference_changed_parcel AFTER UPDATE OF parcel ON column_references WHEN new.parcel <> old.parcel")}

  -- Checks are stored apart from the nodes that they need, so reading a node costs the same with any number of checks.
  CREATE TABLE checks (
    seq INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    id TEXT NOT NULL,
    sync INTEGER NOT NULL,
    precedence INTEGER NOT NULL,
    key TEXT NOT NULL,
    definition TEXT NOT NULL, -- JSON
    result TEXT, -- JSON, of the last known run
    UNIQUE (source, id)
  ) STRICT;
  CREATE INDEX checks_by_id ON checks (id);
  CREATE INDEX checks_by_sync ON checks (source, sync);

  CREATE TABLE checked_nodes (
    workspace TEXT NOT NULL,
    node TEXT NOT NULL, -- an id; the node may not exist
    checked_by INTEGER NOT NULL,
    type TEXT NOT NULL, -- the data type that a contract promises
    PRIMARY KEY (workspace, node, checked_by)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX checked_nodes_by_check ON checked_nodes (checked_by);

  -- Nothing can be written in the name of these connectors, even if a crawl is still running.
  CREATE TABLE removed_connectors (
    workspace TEXT NOT NULL,
    connector TEXT NOT NULL,
    PRIMARY KEY (workspace, connector)
  ) STRICT, WITHOUT ROWID;

  -- The last run of each connector that wrote something.
  CREATE TABLE runs (
    workspace TEXT NOT NULL,
    connector TEXT NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (workspace, connector)
  ) STRICT, WITHOUT ROWID;

  -- At most one row: the id of the metadata store that the graph belongs to.
  CREATE TABLE owner (id TEXT NOT NULL) STRICT;

  -- Finds the assets with failing checks.
  CREATE INDEX failed_checks ON checks (seq) WHERE result ->> '$.status' IN ('fail', 'error');
  ${HISTORY}
  ${LINEAGE_CHANGES}
  ${RESULT_CHANGES}
  `,
  `
  -- Finds nodes by the last part of their fqn, which many columns may share.
  CREATE INDEX others_by_fqn_tail ON nodes (workspace, fqn_tail) WHERE type <> 'column';
  `,
];

/** What a parcel was stated as is no longer stored in it. */
function parcelTrigger(when: string): string {
  return `CREATE TRIGGER ${when} BEGIN UPDATE parcels SET digest = NULL WHERE seq = old.parcel; END;`;
}

/** The graph's file, and its name in errors. */
export const graphFile = (path: string): StoreFile => ({ name: "The graph store", path });

/**
 * Opens the graph's file, makes it if there is none, and migrates it to the newest schema.
 * @throws AppError `unavailable`, whose message says what is wrong with the file
 */
export function openGraphFile(path: string): SqliteDatabase {
  const file = graphFile(path);
  const db = openDatabase(file);
  try {
    // In pages. A crawl writes the same pages again and again, so they are copied to the main file only now and then.
    db.exec("PRAGMA wal_autocheckpoint = 8000");
    migrate(db, file, { applicationId: APPLICATION_ID, steps: STEPS });
    return db;
  } catch (error) {
    db.close();
    throw toAppError(error, file);
  }
}
