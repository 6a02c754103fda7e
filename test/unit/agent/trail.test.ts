/** What the agent tells of a certification: who, since when, and why no more. */
import { expect, it } from "vitest";

import { createAgent } from "../../../src/agent/agent.ts";
import { systemRandom } from "../../../src/clock.ts";
import { openCertified } from "../../support/certified.ts";

const STAGED_NET = "select gross, net, status from raw_payments where net > 0";

async function openAsked() {
  const certified = await openCertified();
  const { graph, store, workspace } = certified;
  const agent = createAgent({ graph, metadata: store, random: systemRandom, maxLineageNodes: 1_000 });
  const context = { assetIds: [], tags: [], workspaceArea: null };
  await certified.crawlPayments();
  return {
    ...certified,
    ask: async (query: string) =>
      (await agent.ask({ query, context }, { workspace: workspace.id, mayWrite: true })).answer,
  };
}

it("A certification that decayed is told with what changed.", async () => {
  const { certify, crawlPayments, ask } = await openAsked();
  await certify("revenue", "Checked against the ledger.");
  expect(await ask("is revenue certified?")).toMatch(
    /^Yes, `revenue` is certified by ada@example\.com on \S+ The note on it: “Checked against the ledger”\.$/,
  );
  await crawlPayments({ staging: STAGED_NET });
  expect(await ask("why is revenue not certified any more?")).toMatch(
    /^`revenue` is not certified: .* It was certified by ada@example\.com on [-\d]+; it lapsed by itself on [-\d]+, since what it stands on changed\. The note on it: “Table `stg_payments` changed its SQL/,
  );
});

it("A certification that somebody withdrew is told with who did, and their note.", async () => {
  const { certify, withdraw, ask } = await openAsked();
  await certify();
  await withdraw("revenue", "Refunds are missing", "bob@example.com");
  expect(await ask("is revenue certified?")).toMatch(
    /^No, .* It was certified by ada@example\.com on [-\d]+; bob@example\.com withdrew it on [-\d]+\. The note on it: “Refunds are missing”\.$/,
  );
});

it("What was never certified has no trail to tell.", async () => {
  const { ask } = await openAsked();
  expect(await ask("is revenue certified?")).not.toMatch(/It was certified|withdrew|lapsed/);
});
