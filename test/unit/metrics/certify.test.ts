import { describe, expect, it, test } from "vitest";

import type { AssetStatement } from "../../../src/catalog/statement.ts";
import { AppError } from "../../../src/errors.ts";
import { openCertified } from "../../support/certified.ts";

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`expected a refusal, not ${String(error)}`);
  return `${error.code}: ${error.message}`;
}

const VOUCHED = {
  certification: "certified",
  certifiedBy: "cfo@example.com",
  certifiedAt: "2026-01-02T00:00:00.000Z",
} as const;
const RENEWED = { ...VOUCHED, certifiedAt: "2026-02-03T00:00:00.000Z" } as const;
const CHANGED = "select status, sum(net) as amount from stg_payments group by status";

describe("Certification by a person", () => {
  it("A person certifies a metric and withdraws the certification, and the trail says who, when and why", async () => {
    const { crawlPayments, certify, withdraw, stepsOf, clock } = await openCertified();
    await crawlPayments();
    const at = clock.now().toISOString();
    expect(await certify("revenue", "As agreed.")).toMatchObject({
      certification: "certified",
      certifiedBy: "ada@example.com",
      certifiedAt: at,
    });
    expect(await withdraw("revenue", "It was not.", "bob@example.com")).toMatchObject({
      certification: "pending",
      certifiedBy: null,
      certifiedAt: null,
    });
    expect(await stepsOf()).toMatchObject([
      { action: "certify", from: "pending", to: "certified", actor: "ada@example.com", at, note: "As agreed." },
      { action: "withdraw", from: "certified", to: "pending", actor: "bob@example.com", at, note: "It was not." },
    ]);
  });

  it("Certifying or withdrawing is refused if it changes nothing, or if the metric is unknown", async () => {
    const { crawlPayments, certify, withdraw, stepsOf } = await openCertified();
    await crawlPayments();
    expect(await refusalOf(withdraw())).toBe("conflict: revenue is not certified: there is nothing to withdraw.");
    await certify();
    expect(await refusalOf(certify())).toBe(
      "conflict: revenue is certified already by ada@example.com; withdraw that first.",
    );
    expect(await refusalOf(certify("unknown"))).toMatch(/^not_found: No metric with id/);
    expect(await stepsOf()).toHaveLength(1);
  });

  it("Only one person succeeds if several certify a metric at the same moment", async () => {
    const { crawlPayments, certify, stepsOf } = await openCertified();
    await crawlPayments();
    const people = ["ada@example.com", "bob@example.com", "eve@example.com"];
    const outcomes = await Promise.allSettled(people.map((by) => certify("revenue", "", by)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await stepsOf()).toHaveLength(1);
  });

  test.each([
    ["too long", "x".repeat(1_001)],
    ["of two lines", "one\ntwo"],
    ["with a control character", "red \u001b[31m"],
    ["with a character that changes the direction of text", "a\u202eb"],
    ["of broken Unicode", "\ud800"],
  ])("A certification's note %s is refused", async (_what, note) => {
    const { crawlPayments, certify, withdraw, stepsOf } = await openCertified();
    await crawlPayments();
    expect(await refusalOf(certify("revenue", note))).toMatch(/^bad_request: note: must/);
    await certify("revenue", "x".repeat(1_000));
    expect(await refusalOf(withdraw("revenue", note))).toMatch(/^bad_request: note: must/);
    expect(await stepsOf()).toHaveLength(1);
  });
});

const vouchedFor = (facts: AssetStatement["facts"], orders?: string) => ({
  revenueFacts: facts,
  ...(orders === undefined ? {} : { orders }),
});

describe("Certification by the source", () => {
  it("A certification by the source is one step of the trail, and another one if the source certifies again", async () => {
    const { crawlPayments, stepsOf } = await openCertified();
    for (const facts of [VOUCHED, VOUCHED, RENEWED]) await crawlPayments(vouchedFor(facts));
    const step = { action: "state", to: "certified", actor: "cfo@example.com", note: "Stated by connector shop." };
    expect(await stepsOf()).toMatchObject([
      { ...step, from: "pending", at: VOUCHED.certifiedAt },
      { ...step, from: "certified", at: RENEWED.certifiedAt },
    ]);
  });

  it("A certification by the source without name and time is also a step of the trail", async () => {
    const { crawlPayments, stepsOf, find, idOf } = await openCertified();
    await crawlPayments(vouchedFor({ certification: "certified" }));
    await crawlPayments(vouchedFor({ certification: "certified", description: "new" }));
    const metric = await find(idOf("revenue"));
    expect(await stepsOf()).toMatchObject([{ action: "state", actor: "connector shop", at: metric?.createdAt }]);
  });

  it("A certification by the source ends if the source retracts it", async () => {
    const { crawlPayments, lastOf, certificationOf, stepsOf } = await openCertified();
    await crawlPayments(vouchedFor(VOUCHED));
    await crawlPayments();
    await crawlPayments();
    expect(await certificationOf()).toBe("pending");
    expect(await lastOf()).toBe("retract: Connector shop no longer states that it is certified.");
    expect(await stepsOf()).toHaveLength(2);
  });

  it("A certification by the source lapses, and stays pending until the source certifies the metric again", async () => {
    const { crawlPayments, lastOf, certificationOf, stepsOf } = await openCertified();
    await crawlPayments(vouchedFor(VOUCHED));
    await crawlPayments(vouchedFor(VOUCHED, CHANGED));
    expect(await lastOf()).toMatch(/^lapse: Table `fct_orders` changed its SQL/);
    await crawlPayments(vouchedFor(VOUCHED, CHANGED));
    await crawlPayments(vouchedFor({}, CHANGED));
    await crawlPayments(vouchedFor(VOUCHED, CHANGED));
    expect(await certificationOf()).toBe("pending");
    await crawlPayments(vouchedFor(RENEWED, CHANGED));
    expect(await certificationOf()).toBe("certified");
    expect((await stepsOf()).map(({ action }) => action)).toEqual(["state", "lapse", "state"]);
    await crawlPayments(vouchedFor(VOUCHED, CHANGED));
    expect((await stepsOf()).at(-1)).toMatchObject({ action: "state", at: VOUCHED.certifiedAt });
  });

  it("A certification does not lapse by a change if the source certifies again with that change", async () => {
    const { crawlPayments, stepsOf, certificationOf } = await openCertified();
    await crawlPayments(vouchedFor(VOUCHED));
    await crawlPayments(vouchedFor(RENEWED, CHANGED));
    await crawlPayments(vouchedFor(RENEWED, CHANGED));
    expect((await stepsOf()).map(({ action }) => action)).toEqual(["state", "state"]);
    expect(await certificationOf()).toBe("certified");
  });

  it("A person can certify a metric after the source's certification lapsed, and that one then applies", async () => {
    const { crawlPayments, certify, certificationOf, find, idOf } = await openCertified();
    await crawlPayments(vouchedFor(VOUCHED));
    await crawlPayments(vouchedFor(VOUCHED, CHANGED));
    await certify();
    await crawlPayments(vouchedFor(RENEWED, CHANGED));
    expect(await find(idOf("revenue"))).toMatchObject({ certification: "certified", certifiedBy: "ada@example.com" });
    await crawlPayments(vouchedFor(RENEWED));
    expect(await certificationOf()).toBe("pending");
  });

  it("A person can withdraw a certification by the source, and the source cannot restore it", async () => {
    const { crawlPayments, withdraw, certificationOf, stepsOf } = await openCertified();
    await crawlPayments(vouchedFor(VOUCHED));
    await withdraw();
    await crawlPayments(vouchedFor(RENEWED));
    expect(await certificationOf()).toBe("pending");
    expect((await stepsOf()).map(({ action }) => action)).toEqual(["state", "withdraw"]);
  });
});
