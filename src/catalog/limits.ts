/**
 * How much of one thing the catalog keeps. The limits are far above what people write, and low enough for one page or
 * request.
 */

/** Entries of a list, such as the tags of an asset or the dimensions of a metric. */
export const MAX_LISTED = 1_000;

/** Characters of a text that people write, such as a description or a metric's expression. */
export const MAX_TEXT_CHARACTERS = 100_000;

/** Characters of SQL. A longer text is cut and not read for lineage. */
export const MAX_SQL_CHARACTERS = 1_048_576;

/** Columns of one asset. */
export const MAX_COLUMNS = 10_000;

/** Checks that need one asset. */
export const MAX_CHECKS = 10_000;

/** How deep objects and lists are nested in an asset's meta. */
export const MAX_META_DEPTH = 32;
