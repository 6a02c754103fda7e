/** How much of one thing the catalog keeps: far more than people write, and no more than a page or a request can bear. */

/** Of a list, such as the tags of an asset or the dimensions of a metric. */
export const MAX_LISTED = 1_000;

/** Of a text that people write, such as a description or a metric's expression. */
export const MAX_TEXT_CHARACTERS = 100_000;

/** Of SQL: a longer text is kept in part, and not read for lineage. */
export const MAX_SQL_CHARACTERS = 1_048_576;

/** Of one asset. */
export const MAX_COLUMNS = 10_000;

/** Of the checks that need one asset. */
export const MAX_CHECKS = 10_000;

/** How many objects and lists of an asset's meta stand within each other. */
export const MAX_META_DEPTH = 32;
