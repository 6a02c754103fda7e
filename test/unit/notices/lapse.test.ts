import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";

import { openCertified } from "../../support/certified.ts";
import { PUBLIC_URL } from "../../support/no-graph.ts";
import { openNotices, openReceiver } from "../../support/notices.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { scope, table } from "../../support/scripted-connector.ts";

const STAGED_NET = "select gross, net, status from raw_payments where net > 0";

it("A certification lapses, and a webhook is told of it once, with a signature that the receiver can verify", async () => {
  await using server = await openReceiver();
  const bench = await openCertified();
  const { addRule, work } = openNotices(bench);
  const { secret } = await addRule({ url: `${server.url}/hook` });
  await bench.crawlPayments();
  await bench.certify();
  await bench.crawlPayments({ staging: STAGED_NET });
  await work();
  await work();
  expect(server.received).toHaveLength(1);
  const { headers, body } = present(server.received[0]);
  const given = {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
    "webhook-signature": String(headers["webhook-signature"]),
  };
  // The signature covers the time, which is the test's.
  expect(() => new Webhook(present(secret)).verify(body, given)).toThrow("No matching signature found");
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  expect(headers["webhook-signature"]).toBe(new Webhook(present(secret)).sign(given["webhook-id"], at, body));
  expect(JSON.parse(body)).toMatchObject({
    type: "notice",
    data: {
      workspace: "default",
      events: [
        {
          kind: "certification_lapsed",
          subject: bench.idOf("revenue"),
          name: "Revenue",
          actor: "connector shop",
          note: expect.stringContaining("`stg_payments`"),
          url: `${PUBLIC_URL}/metrics/${bench.idOf("revenue")}`,
        },
      ],
    },
  });
});

it("A lapse is told once, even if the service died between the two stores", async () => {
  await using server = await openReceiver();
  const graph = createReferenceGraph();
  const bench = await openCertified(graph);
  const { addRule, work } = openNotices(bench);
  await addRule({ url: server.url, kinds: ["certification_lapsed"] });
  await bench.crawlPayments();
  await bench.certify();
  const { certify: write } = graph;
  graph.certify = () => Promise.reject(new Error("the power failed"));
  await bench.crawlPayments({ staging: STAGED_NET }).catch(() => {});
  await work();
  graph.certify = write;
  await bench.crawlPayments({ staging: STAGED_NET });
  await work();
  expect(server.received).toHaveLength(1);
});

it.each([
  ["the certifier", "person", "ada@example.com", 1],
  ["another person", "person", "ida@example.com", 0],
  ["the owner, in another case", "person", "Grace@example.com", 1],
  ["a tag of the metric", "tag", "Revenue Team", 1],
  ["a tag that the metric does not have", "tag", "finance", 0],
  ["another metric", "asset", "nobody", 0],
] as const)("A rule about %s gets the lapses of its metrics alone", async (_what, aboutBy, about, count) => {
  await using server = await openReceiver();
  const bench = await openCertified();
  const { addRule, work } = openNotices(bench);
  await addRule({ url: server.url, aboutBy, about });
  const revenueFacts = { owner: "grace@example.com", tags: ["revenue team"] };
  await bench.crawlPayments({ revenueFacts });
  await bench.certify();
  await bench.crawlPayments({ revenueFacts, staging: STAGED_NET });
  await work();
  expect(server.received).toHaveLength(count);
});

it.each([
  ["its owner", "person", "grace@example.com"],
  ["its certifier", "person", "ada@example.com"],
  ["its tag", "tag", "revenue team"],
  ["its connector", "connector", ""],
] as const)("A certified metric is gone, and a rule about %s tells it once", async (_what, aboutBy, name) => {
  await using server = await openReceiver();
  const bench = await openCertified();
  const { addRule, work } = openNotices(bench);
  const about = aboutBy === "connector" ? bench.connector.id : name;
  await addRule({ url: server.url, aboutBy, about });
  const facts = { revenueFacts: { owner: "grace@example.com", tags: ["revenue team"] } };
  await bench.crawlPayments(facts);
  await bench.certify("revenue");
  const [raw, staged] = [table("raw_payments", {}, ["gross"]), table("stg_payments", {}, ["gross"])];
  await bench.crawl(scope("all", [raw, staged]), { confirmRemoval: true });
  await bench.crawl(scope("all", [raw, staged]));
  await work();
  expect(server.received).toHaveLength(1);
  expect(JSON.parse(present(server.received[0]).body)).toMatchObject({
    data: {
      events: [
        { kind: "certification_lapsed", name: "Revenue", note: "The metric is gone.", owner: "grace@example.com" },
      ],
    },
  });
});
