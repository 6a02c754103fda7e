import { expect, it, onTestFinished, vi } from "vitest";

import type { SharedLineage } from "../../../../src/graph/lineage-index/shared-lineage.ts";
import { createLineageHolder } from "../../../../src/graph/lineage-index/lineage-holder.ts";

function setUp(isMemoryShort = () => false) {
  let now = 0;
  const loads: PromiseWithResolvers<SharedLineage | null>[] = [];
  const load = () => {
    const started = Promise.withResolvers<SharedLineage | null>();
    loads.push(started);
    return started.promise;
  };
  const end = async (work: (load: PromiseWithResolvers<SharedLineage | null> | undefined) => void) => {
    work(loads.at(-1));
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const holder = createLineageHolder(load, () => now, isMemoryShort);
  const pass = (ms: number): void => {
    now += ms;
    if (vi.isFakeTimers()) vi.advanceTimersByTime(ms);
  };
  return { holder, loads, end, pass };
}

// Only the position is looked at.
const lineageAt = (position: number) => ({ position }) as SharedLineage;

it("Lineage is loaded once at a time, and again only after ten times as long as it took", async () => {
  const { holder, loads, end, pass } = setUp();
  holder.renew();
  holder.renew();
  expect(loads).toHaveLength(1);
  expect(holder.current()).toBeNull();
  pass(1_000);
  await end((load) => load?.resolve(lineageAt(7)));
  expect(holder.current()?.position).toBe(7);

  pass(9_999);
  holder.renew();
  expect(loads).toHaveLength(1);
  pass(1);
  holder.renew();
  expect(loads).toHaveLength(2);
  expect(holder.current()?.position).toBe(7);
});

it("Lineage that could not be loaded is tried again a minute later, and lineage that is too large an hour later", async () => {
  for (const [outcome, pauseMs] of [
    ["reject", 60_000],
    ["resolve", 3_600_000],
  ] as const) {
    const { holder, loads, end, pass } = setUp();
    holder.renew();
    await end((load) => (outcome === "reject" ? load?.reject(new Error("closed")) : load?.resolve(null)));
    expect(holder.current()).toBeNull();
    pass(pauseMs - 1);
    holder.renew();
    expect(loads).toHaveLength(1);
    pass(1);
    holder.renew();
    expect(loads).toHaveLength(2);
  }
});

it("If lineage cannot be loaded again, the earlier one stays, and the pause is ten times as long as the attempt", async () => {
  const { holder, loads, end, pass } = setUp();
  holder.renew();
  await end((load) => load?.resolve(lineageAt(7)));
  holder.renew();
  pass(20_000);
  await end((load) => load?.reject(new Error("closed")));
  expect(holder.current()?.position).toBe(7);
  pass(199_999);
  holder.renew();
  expect(loads).toHaveLength(2);
  pass(1);
  holder.renew();
  expect(loads).toHaveLength(3);
});

function useFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

it("Lineage that nothing has asked for in ten minutes is dropped, and loaded when it is missed again", async () => {
  useFakeTimers();
  const { holder, loads, end, pass } = setUp();
  holder.renew();
  await end((load) => load?.resolve(lineageAt(7)));
  pass(540_000);
  expect(holder.current()?.position).toBe(7);
  pass(540_000);
  expect(holder.current()?.position).toBe(7);
  pass(600_000);
  expect(holder.current()).toBeNull();

  holder.renew();
  expect(loads).toHaveLength(2);
  await end((load) => load?.resolve(lineageAt(8)));
  pass(600_000);
  expect(holder.current()).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

it("If the process takes nearly all memory that it may have, lineage is dropped, and not loaded for a minute", async () => {
  useFakeTimers();
  let isShort = false;
  const { holder, loads, end, pass } = setUp(() => isShort);
  holder.renew();
  await end((load) => load?.resolve(lineageAt(7)));
  isShort = true;
  pass(60_000);
  expect(holder.current()).toBeNull();
  holder.renew();
  expect(loads).toHaveLength(1);
  pass(60_000);
  holder.renew();
  expect(loads).toHaveLength(2);
});

it("Lineage that was loaded while the one before was dropped is dropped as well when nothing asks for it", async () => {
  useFakeTimers();
  const { holder, end, pass } = setUp();
  holder.renew();
  await end((load) => load?.resolve(lineageAt(7)));
  holder.renew();
  pass(600_000);
  await end((load) => load?.resolve(lineageAt(8)));
  pass(60_000);
  expect(holder.peek()).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});
