// The constraints and indexes of the graph. Every start applies them, each in a transaction of its own, because Memgraph
// demands that. Repeating one does nothing.
//
// A constraint makes no index, so each key has both. No label has an index over the workspace: the planner would choose
// between indexes by their sizes, and sometimes read a whole workspace to find one id. It is not needed either, because
// ids are hashes over the workspace, and a list key begins with it.

// The one node with facts about the whole graph.
CREATE CONSTRAINT ON (s:Store) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Store(id);

// The workspaces that are written in; see src/graph/memgraph/write-line.ts.
CREATE CONSTRAINT ON (l:WriteLine) ASSERT l.id IS UNIQUE;
CREATE INDEX ON :WriteLine(id);

// The last changes of each workspace's lineage; see src/graph/memgraph/lineage-changes.ts.
CREATE CONSTRAINT ON (c:LineageChange) ASSERT c.id IS UNIQUE;
CREATE INDEX ON :LineageChange(id);
CREATE INDEX ON :LineageChange(position);

// Visible nodes. A list key joins workspace, type and key, so the list of one type is one range of the index.
CREATE CONSTRAINT ON (a:Asset) ASSERT a.id IS UNIQUE;
CREATE INDEX ON :Asset(id);
CREATE INDEX ON :Asset(listKey);
CREATE INDEX ON :Asset(parentId);

// Other orders of lists, each a text that begins with workspace and type; see src/graph/memgraph/sort-nodes.ts.
CREATE INDEX ON :Asset(byName);
CREATE INDEX ON :Asset(byUpdate);
CREATE INDEX ON :Asset(byDownstream);
CREATE INDEX ON :Asset(byUsage);

// Owners with a name: workspace, address and name.
CREATE INDEX ON :Asset(personAt);

// Where a search finds nodes: by name and by its beginning, by the end of the fqn, and by words, which are :Term. All
// nodes in the order of results are the range of one index. The texts are described in src/graph/memgraph/search-index.ts.
CREATE INDEX ON :Asset(nameAt);
CREATE INDEX ON :Asset(beginsAt);
CREATE INDEX ON :Asset(fqnAt);
CREATE INDEX ON :Asset(standing);
CREATE CONSTRAINT ON (t:Term) ASSERT t.at IS UNIQUE;
CREATE INDEX ON :Term(at);
CREATE INDEX ON :Term(word);

// What is kept of a removed node: its curation and when it was created.
CREATE CONSTRAINT ON (r:Removed) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Removed(id);

// What one connector states about one node in one scope.
CREATE CONSTRAINT ON (c:Claim) ASSERT c.id IS UNIQUE;
CREATE INDEX ON :Claim(id);
CREATE INDEX ON :Claim(nodeId);
CREATE INDEX ON :Claim(sourceId);
CREATE INDEX ON :Claim(syncId);

// Scopes whose last crawl ended before everything was read.
CREATE CONSTRAINT ON (s:IncompleteSource) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :IncompleteSource(id);

// Scopes of connectors, and removed connectors, whose writes are refused.
CREATE CONSTRAINT ON (s:Source) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Source(id);
CREATE INDEX ON :Source(connectorKey);
CREATE CONSTRAINT ON (r:RemovedConnector) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :RemovedConnector(id);

// For each connector the number of its last run that wrote something.
CREATE CONSTRAINT ON (r:Run) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Run(id);

// What one connector states about one edge in one scope. The edges are the relationships FEEDS and FEEDS_COLUMN.
CREATE CONSTRAINT ON (e:EdgeClaim) ASSERT e.id IS UNIQUE;
CREATE INDEX ON :EdgeClaim(id);
CREATE INDEX ON :EdgeClaim(edgeId);
CREATE INDEX ON :EdgeClaim(sourceId);
CREATE INDEX ON :EdgeClaim(fromId);
CREATE INDEX ON :EdgeClaim(toId);

// One connector's statement, in one scope, that the SQL of an asset (toId) names a column (fromId).
CREATE CONSTRAINT ON (r:Reference) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :Reference(id);
CREATE INDEX ON :Reference(sourceId);
CREATE INDEX ON :Reference(fromId);
CREATE INDEX ON :Reference(toId);

// The steps of metrics' certifications, and what certified metrics depend on. Both have the metric's id, and are kept when
// its :Asset is removed.
CREATE CONSTRAINT ON (t:TrailStep) ASSERT t.id IS UNIQUE;
CREATE INDEX ON :TrailStep(id);
CREATE INDEX ON :TrailStep(metricId);
CREATE CONSTRAINT ON (s:Dependencies) ASSERT s.id IS UNIQUE;
CREATE INDEX ON :Dependencies(id);

// What one connector states about one check in one scope, and the ids of the assets and columns that the check needs.
// These need not exist.
CREATE CONSTRAINT ON (c:Check) ASSERT c.id IS UNIQUE;
CREATE INDEX ON :Check(id);
CREATE INDEX ON :Check(checkId);
CREATE INDEX ON :Check(sourceId);
CREATE INDEX ON :Check(status);
CREATE INDEX ON :CheckedNode(nodeId);
CREATE INDEX ON :CheckedNode(checkRow);

// The history: moments in the order of writing, the last moment of each workspace, earlier states of nodes, and edges and
// references that were replaced or deleted. The texts are described in src/graph/memgraph/history.ts.
CREATE CONSTRAINT ON (h:History) ASSERT h.id IS UNIQUE;
CREATE INDEX ON :History(id);
CREATE CONSTRAINT ON (m:Moment) ASSERT m.id IS UNIQUE;
CREATE INDEX ON :Moment(id);
CREATE INDEX ON :Moment(position);
CREATE CONSTRAINT ON (k:KeptNode) ASSERT k.id IS UNIQUE;
CREATE INDEX ON :KeptNode(id);
CREATE INDEX ON :KeptNode(nodeId);
CREATE INDEX ON :KeptNode(parentId);
CREATE INDEX ON :KeptNode(position);
CREATE INDEX ON :KeptNode(endsAt);
CREATE INDEX ON :KeptNode(beganAt);
CREATE CONSTRAINT ON (k:KeptLink) ASSERT k.id IS UNIQUE;
CREATE INDEX ON :KeptLink(id);
CREATE INDEX ON :KeptLink(fromId);
CREATE INDEX ON :KeptLink(toId);
CREATE INDEX ON :KeptLink(endsAt);
CREATE INDEX ON :KeptLink(beganAt);

// How the results of checks changed.
CREATE CONSTRAINT ON (r:ResultChange) ASSERT r.id IS UNIQUE;
CREATE INDEX ON :ResultChange(id);
CREATE INDEX ON :ResultChange(nodeId);
CREATE INDEX ON :ResultChange(endsAt);
// What is there now and began after the first moment of its workspace.
CREATE INDEX ON :Asset(beganAt);
CREATE INDEX ON :EdgeClaim(beganAt);
