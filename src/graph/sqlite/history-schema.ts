/**
 * The tables of the history, and the triggers that copy edges and references into them. Nothing is listed of the first
 * moment of a workspace, so what began then is in no index.
 */
export const HISTORY = `
  CREATE INDEX nodes_by_beginning ON nodes (workspace, since) WHERE since > 1;
  CREATE INDEX edges_by_beginning ON edges (source, since) WHERE since > 1;

  -- Who wrote, and when. The first row is where the history of the workspace begins.
  CREATE TABLE moments (
    workspace TEXT NOT NULL,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    connector TEXT NOT NULL,
    sync TEXT NOT NULL,
    actor TEXT NOT NULL,
    is_first INTEGER NOT NULL DEFAULT 0, -- whether it is of the first sync of its connector
    PRIMARY KEY (workspace, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX moments_by_time ON moments (workspace, at, number);

  -- How nodes looked before.
  CREATE TABLE kept_nodes (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    parent TEXT,
    key TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    whole INTEGER NOT NULL, -- whether it was removed then; else what is kept is a difference to the next state
    was TEXT NOT NULL, -- JSON
    UNIQUE (workspace, id, until)
  ) STRICT;
  CREATE INDEX kept_nodes_by_beginning ON kept_nodes (workspace, since);
  CREATE INDEX kept_nodes_by_end ON kept_nodes (workspace, until);
  CREATE INDEX kept_nodes_by_key ON kept_nodes (workspace, key, until);
  CREATE INDEX kept_nodes_by_parent ON kept_nodes (workspace, parent, until) WHERE parent IS NOT NULL;

  -- Edges and references that were deleted, or had other uses. They have ids, because rowids are used again.
  CREATE TABLE kept_links (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    from_id TEXT NOT NULL,
    to_id TEXT NOT NULL,
    kind INTEGER, -- its place in EDGE_KINDS; null for a reference
    connector TEXT NOT NULL,
    uses TEXT NOT NULL, -- JSON
    since INTEGER NOT NULL,
    until INTEGER NOT NULL -- 0 until the end of the transaction
  ) STRICT;
  CREATE INDEX kept_links_by_beginning ON kept_links (workspace, since);
  CREATE INDEX kept_links_by_end ON kept_links (workspace, until);
  CREATE INDEX kept_links_forwards ON kept_links (workspace, from_id, until);
  CREATE INDEX kept_links_backwards ON kept_links (workspace, to_id, until);
  ${keptTrigger("edge_kept AFTER DELETE ON edges", "old.kind", "old.uses")}
  ${keptTrigger("edge_uses_kept AFTER UPDATE OF uses ON edges WHEN new.uses <> old.uses", "old.kind", "old.uses")}
  ${keptTrigger("reference_kept AFTER DELETE ON column_references", "NULL", "'[]'")}
`;

/** Copies the row as it was. */
function keptTrigger(when: string, kind: string, uses: string): string {
  return `CREATE TRIGGER ${when} BEGIN
    INSERT INTO kept_links (workspace, from_id, to_id, kind, connector, uses, since, until)
      SELECT a.workspace, a.id, b.id, ${kind}, s.connector, ${uses}, old.since, 0
      FROM nodes AS a CROSS JOIN nodes AS b ON b.seq = old.to_node CROSS JOIN sources AS s ON s.seq = old.source
      WHERE a.seq = old.from_node;
  END;`;
}
