/** What the stores of the single nouns share. */
import type { Kysely } from "kysely";

import type { IdPrefix } from "./ids.ts";
import type { Tables } from "./tables.ts";

export interface StoreContext {
  db: Kysely<Tables>;
  now: () => string;
  newId: (prefix: IdPrefix) => string;
}
