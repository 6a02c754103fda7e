import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { expect, it, onTestFinished } from "vitest";

import { revokeAccountTokens, revokeAllTokens, revokeToken } from "../../src/auth/revocation.ts";
import { setAccountDisabled } from "../../src/auth/service-accounts.ts";
import { createAccessToken, createToken, hashToken, lookupPrefix } from "../../src/auth/token.ts";
import { systemRandom } from "../../src/clock.ts";
import type { AccountId, TokenId } from "../../src/ids.ts";
import { openTestAuth, type TestAuth } from "../support/auth.ts";
import { TEST_SECRET_KEY } from "../support/metadata-store.ts";
import type { RacerData, RacerReport, RacerRound } from "../support/revocation-racer.ts";

const RACES = 10_000;
const TOKENS_A_ROUND = 100;
const RACERS = 2;

interface Round {
  accountId: AccountId;
  ids: TokenId[];
  tokens: string[];
}

/** A service account with as many keys as access tokens, made in one transaction: ten thousand would take a minute. */
async function makeRound({ store, workspace }: TestAuth, name: string): Promise<Round> {
  return store.transaction(async ({ accounts, accessTokens, keys }) => {
    const workspaceId = workspace.id;
    const { id: accountId } = await accounts.create({ workspaceId, name, role: "admin", clientId: name });
    const round: Round = { accountId, ids: [], tokens: [] };
    for (let i = 0; i < TOKENS_A_ROUND; i++) {
      const token = i % 2 === 0 ? createToken("live", systemRandom) : createAccessToken(systemRandom);
      const prefix = lookupPrefix(token);
      const kept = { workspaceId, prefix, scopes: ["read" as const], ...hashToken(token, systemRandom) };
      const { id } = await (i % 2 === 0
        ? keys.create({ ...kept, name, createdBy: accountId, networks: [], expiresAt: null })
        : accessTokens.create({ ...kept, accountId, expiresAt: "2026-01-01T01:00:00.000Z" }));
      round.ids.push(id);
      round.tokens.push(token);
    }
    return round;
  });
}

it(
  `In ${RACES} races of revocation against use, no use is accepted that began after the revocation was acknowledged`,
  { timeout: 300_000 },
  async () => {
    const auth = await openTestAuth();
    const { parts, origin, url } = auth;
    const acknowledged = new Int32Array(new SharedArrayBuffer(RACES * Int32Array.BYTES_PER_ELEMENT));
    const workerData: RacerData = { url, secretKey: TEST_SECRET_KEY, acknowledged };
    const racers = Array.from(
      { length: RACERS },
      () => new Worker(new URL("../support/revocation-racer.ts", import.meta.url), { workerData }),
    );
    onTestFinished(async () => void (await Promise.all(racers.map((racer) => racer.terminate()))));
    const heard = () =>
      Promise.all(racers.map((racer) => once(racer, "message").then(([message]: unknown[]) => message)));

    const total: RacerReport = { accepted: 0, late: 0 };
    for (let first = 0; first < RACES; first += TOKENS_A_ROUND) {
      const number = first / TOKENS_A_ROUND;
      const { accountId, ids, tokens } = await makeRound(auth, `racer-${number}`);
      const racing = heard();
      for (const racer of racers) racer.postMessage({ first, tokens } satisfies RacerRound, []);
      expect(await racing).toEqual(racers.map(() => "racing"));

      const reports = heard();
      const acknowledge = (index: number) => void Atomics.store(acknowledged, first + index, 1);
      // Now and then one token by itself, which takes a commit.
      if (number % 25 === 0) {
        for (const [i, id] of ids.entries()) {
          await revokeToken(parts, origin, id);
          acknowledge(i);
        }
      } else {
        if (number % 3 === 0) await revokeAllTokens(parts, origin);
        else if (number % 3 === 1) await revokeAccountTokens(parts, origin, accountId);
        else await setAccountDisabled(parts, origin, { id: accountId, disabled: true });
        ids.forEach((_, i) => acknowledge(i));
      }
      for (const report of (await reports) as RacerReport[]) {
        total.accepted += report.accepted;
        total.late += report.late;
      }
    }
    for (const racer of racers) racer.postMessage("stop", []);

    expect(total.late).toBe(0);
    expect(total.accepted).toBeGreaterThanOrEqual(RACES * RACERS);
  },
);
