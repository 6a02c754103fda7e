/**
 * A thread with its own connection that presents tokens, over and over, until all of them are known to be revoked. It
 * posts "racing" once each was accepted. At the end it posts how many uses were accepted, and how many of those began
 * after the revocation was acknowledged.
 */
import { parentPort, workerData } from "node:worker_threads";
import { setImmediate as yieldToMessages } from "node:timers/promises";

import { createAuthenticator } from "../../src/auth/bearer.ts";
import { systemRandom } from "../../src/clock.ts";
import { type MetadataStoreOptions, openMetadataStore } from "../../src/metadata/store.ts";
import { createTestClock } from "./clock.ts";

export interface RacerData {
  url: MetadataStoreOptions["url"];
  secretKey: Uint8Array;
  /** For each token of all rounds: 1 once its revocation was acknowledged. */
  acknowledged: Int32Array;
}

export interface RacerRound {
  /** The index of the first token in `acknowledged`. */
  first: number;
  tokens: string[];
}

export interface RacerReport {
  accepted: number;
  late: number;
}

const { url, secretKey, acknowledged }: RacerData = workerData;
const clock = createTestClock();
const store = await openMetadataStore({
  url,
  secretKey: Buffer.from(secretKey),
  clock,
  random: systemRandom,
});
const { authenticate } = createAuthenticator({ store, clock });

async function race({ first, tokens }: RacerRound): Promise<RacerReport> {
  const report: RacerReport = { accepted: 0, late: 0 };
  for (let sweep = 0; ; sweep++) {
    let allDead = true;
    for (const [i, token] of tokens.entries()) {
      const dead = Atomics.load(acknowledged, first + i) === 1;
      allDead &&= dead;
      const isAccepted = await authenticate([`Bearer ${token}`]).then(
        () => true,
        () => false,
      );
      if (isAccepted) report.accepted++;
      if (isAccepted && dead) report.late++;
    }
    if (sweep === 0 && report.accepted === tokens.length) parentPort?.postMessage("racing", []);
    if (allDead) return report;
    await yieldToMessages();
  }
}

parentPort?.on("message", (round: RacerRound | "stop") => {
  if (round === "stop") void store.close().then(() => parentPort?.close());
  else void race(round).then((report) => parentPort?.postMessage(report, []));
});
