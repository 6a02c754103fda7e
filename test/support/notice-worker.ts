/**
 * A process that sends notices, which a test can kill. Its arguments: the URL of the
 * metadata store as JSON, its secret key, and how far its clock is ahead.
 */
import { createSourceAddresses } from "../../src/connectors/http/source-addresses.ts";
import { systemRandom } from "../../src/clock.ts";
import { openMetadataStore } from "../../src/metadata/store.ts";
import { createNoticeDeliverer } from "../../src/notices/deliverer.ts";
import { sendNotice } from "../../src/notices/send.ts";
import { NO_GRAPH, PUBLIC_URL } from "./no-graph.ts";

const [location = "{}", secretKey = "", aheadMs = "0"] = process.argv.slice(2);
const clock = { now: () => new Date(Date.now() + Number(aheadMs)), steadyMs: () => performance.now() };
const store = await openMetadataStore({
  url: JSON.parse(location),
  secretKey: Buffer.from(secretKey, "base64"),
  clock,
  random: systemRandom,
});
const sending = {
  addresses: createSourceAddresses(["127.0.0.0/8"]),
  insecureHosts: [],
  clock,
  deadline: (ms: number) => AbortSignal.timeout(ms),
};
const worker = createNoticeDeliverer({
  store,
  graph: NO_GRAPH,
  watch: { changed: () => {} },
  send: (outgoing) => sendNotice(sending, outgoing),
  publicUrl: () => PUBLIC_URL,
  unsubscribe: { pathFor: () => "" },
  hasMail: false,
  clock,
  random: systemRandom,
  log: { error: console.error, warn: console.error, info: console.error },
});
worker.start();
await worker.tick();
// Its timers let the process end.
setInterval(() => {}, 1_000);
