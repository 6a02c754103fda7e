/**
 * Runs three servers, two workers, PostgreSQL and Valkey under load. It kills and restarts either the servers and
 * workers, or the stores: `node bench/faults.ts [--seconds 120] [--stores] [--seed 1]`. At the end it compares the data
 * with what was acknowledged. The exit code is 1 if a check fails.
 */
import { parseArgs } from "node:util";

import { runKills } from "./faults/kills.ts";
import { runStores } from "./faults/stores.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    stores: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);
const holds = values.stores ? await runStores({ seed }) : await runKills({ seconds: Number(values.seconds), seed });
process.exit(holds ? 0 : 1);
