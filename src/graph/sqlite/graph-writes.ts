/** All writes, by name, for the thread that writes. */
import { transact, flush } from "../../sqlite/database.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, GraphWriter } from "../catalog-writes.ts";
import type { CopyPart, CopyRows } from "../graph-copy.ts";
import { certify } from "./certify.ts";
import { claim } from "./claim.ts";
import { writeChecks } from "./checks.ts";
import { noteCompleteness } from "./coverage.ts";
import { curate } from "./curate.ts";
import type { Synchronous } from "./graph-reads.ts";
import type { Statements } from "./statements.ts";
import { copyIn } from "./copy-in.ts";
import { countLosses, listScopes } from "./losses.ts";
import type { PackedEdges } from "./packed-edges.ts";
import { removeConnector } from "./remove-connector.ts";
import { renameConnector } from "./rename-connector.ts";
import { stateByHand } from "./state-by-hand.ts";
import { sweep } from "./sweep.ts";
import { tally } from "./tally.ts";
import { writeEdges } from "./write-edges.ts";
import { writeNodes } from "./write-nodes.ts";
import { writeReferences } from "./write-references.ts";

export interface GraphWrites extends Omit<Synchronous<GraphWriter>, "writeEdges"> {
  writeEdges: (stamp: CrawlStamp, scope: string, edges: PackedEdges) => number[];
  claim: (owner: string) => string;
  copyIn: (workspace: WorkspaceId, part: CopyPart, rows: readonly CopyRows[CopyPart][]) => number;
}

export function createWrites(sql: Statements): GraphWrites {
  return {
    writeNodes: (...args) => writeNodes(sql, ...args),
    writeEdges: (...args) => writeEdges(sql, ...args),
    writeReferences: (...args) => writeReferences(sql, ...args),
    writeChecks: (...args) => writeChecks(sql, ...args),
    sweep: (...args) => sweep(sql, ...args),
    markIncomplete: (...args) => transact(sql.db, () => noteCompleteness(sql, ...args, false)),
    listScopes: (...args) => listScopes(sql, ...args),
    countLosses: (...args) => countLosses(sql, ...args),
    tally(...args) {
      flush(sql.db);
      return tally(sql, ...args);
    },
    renameConnector: (...args) => renameConnector(sql, ...args),
    removeConnector: (...args) => removeConnector(sql, ...args),
    curate: (...args) => curate(sql, ...args),
    stateByHand: (...args) => stateByHand(sql, ...args),
    certify: (...args) => certify(sql, ...args),
    claim: (owner) => claim(sql, owner),
    // The rows are those of the part.
    copyIn(workspace, part, rows) {
      const refused = copyIn(sql, workspace, part, rows as never);
      flush(sql.db);
      return refused;
    },
    checkWrites: () => flush(sql.db),
  };
}
