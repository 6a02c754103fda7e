// What Tributary asks of Memgraph before it stores anything. Applied at every start, one statement at a time and each
// in its own transaction, as Memgraph wants it; repeating one does nothing.
//
// A constraint makes no index of its own, so each key has both. No label has an index that begins with the workspace:
// with a choice between indexes, the planner goes by the number of nodes behind each, and would now and then walk a
// workspace to find one id. Ids are hashes over the workspace, and a list key begins with it.

// What is noted about the whole graph: one node.
CREATE CONSTRAINT ON (s:Store) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Store(id);

// The workspaces that are written in; see src/graph/memgraph/write-line.ts.
CREATE CONSTRAINT ON (l:WriteLine) ASSERT l.id IS UNIQUE;
CREATE INDEX ON :WriteLine(id);

// What is seen. A list key is (workspace, type, key) in one text: the order of one type's list.
CREATE CONSTRAINT ON (a:Asset) ASSERT a.id IS UNIQUE;
CREATE INDEX ON :Asset(id);
CREATE INDEX ON :Asset(listKey);
CREATE INDEX ON :Asset(parentId);

// Where a search finds nodes: by name and by its beginning, by the end of the fqn, and by words, which are :Term. All
// nodes in the order of results are the range of one index. The texts are described in src/graph/memgraph/search-index.ts.
CREATE INDEX ON :Asset(nameAt);
CREATE INDEX ON :Asset(beginsAt);
CREATE INDEX ON :Asset(fqnAt);
CREATE INDEX ON :Asset(standing);
CREATE CONSTRAINT ON (t:Term) ASSERT t.at IS UNIQUE;
CREATE INDEX ON :Term(at);
CREATE INDEX ON :Term(word);

// What is left of a node that no connector holds any more.
CREATE CONSTRAINT ON (r:Removed) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Removed(id);

// One connector's word in one scope on one node.
CREATE CONSTRAINT ON (c:Claim) ASSERT c.id IS UNIQUE;
CREATE INDEX ON :Claim(id);
CREATE INDEX ON :Claim(nodeId);
CREATE INDEX ON :Claim(sourceId);
CREATE INDEX ON :Claim(syncId);

// One connector's scope of which the last crawl ended before all was read.
CREATE CONSTRAINT ON (s:IncompleteSource) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :IncompleteSource(id);

// One scope of one connector, and a connector from which nothing more is taken.
CREATE CONSTRAINT ON (s:Source) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Source(id);
CREATE INDEX ON :Source(connectorKey);
CREATE CONSTRAINT ON (r:RemovedConnector) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :RemovedConnector(id);

// The number of the last run of one connector that wrote something.
CREATE CONSTRAINT ON (r:Run) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Run(id);

// One connector's word in one scope on one edge. The edges themselves are the relationships FEEDS and FEEDS_COLUMN.
CREATE CONSTRAINT ON (e:EdgeClaim) ASSERT e.id IS UNIQUE;
CREATE INDEX ON :EdgeClaim(id);
CREATE INDEX ON :EdgeClaim(edgeId);
CREATE INDEX ON :EdgeClaim(sourceId);
CREATE INDEX ON :EdgeClaim(fromId);
CREATE INDEX ON :EdgeClaim(toId);

// One connector's word in one scope that an asset's SQL (toId) names a column (fromId).
CREATE CONSTRAINT ON (r:Reference) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Reference(id);
CREATE INDEX ON :Reference(sourceId);
CREATE INDEX ON :Reference(fromId);
CREATE INDEX ON :Reference(toId);

// One step in the history of a metric's certification, and what a certified metric stands on. Both go by the metric's
// id, which outlives its :Asset.
CREATE CONSTRAINT ON (t:TrailStep) ASSERT t.id IS UNIQUE;
CREATE INDEX ON :TrailStep(id);
CREATE INDEX ON :TrailStep(metricId);
CREATE CONSTRAINT ON (s:Dependencies) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Dependencies(id);

// One connector's word in one scope on one check, and the assets and columns that it needs, by their ids, whether they
// are there or not.
CREATE CONSTRAINT ON (c:Check) ASSERT c.id IS UNIQUE;
CREATE INDEX ON :Check(id);
CREATE INDEX ON :Check(checkId);
CREATE INDEX ON :Check(sourceId);
CREATE INDEX ON :CheckedNode(nodeId);
CREATE INDEX ON :CheckedNode(checkRow);
