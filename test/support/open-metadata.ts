/**
 * A process that opens a metadata store: `node open-metadata.ts STORE`, with the URL of the store as JSON. It waits for
 * a line on its standard input, opens the store, and prints the names of its workspaces.
 */
import { once } from "node:events";

import { systemClock, systemRandom } from "../../src/clock.ts";
import { openMetadataStore } from "../../src/metadata/store.ts";

process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();
const store = await openMetadataStore({
  url: JSON.parse(process.argv[2] ?? "{}"),
  secretKey: Buffer.alloc(32, "secret"),
  clock: systemClock,
  random: systemRandom,
});
const workspaces = await store.workspaces.list();
process.stdout.write(JSON.stringify(workspaces.map(({ name }) => name)));
await store.close();
