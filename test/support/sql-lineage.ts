/** The reader of SQL that all tests of this process share, because its threads take half a second each to start. */
import { createSqlLineage } from "../../src/sql-lineage/thread.ts";

export const sqlLineage = createSqlLineage();
