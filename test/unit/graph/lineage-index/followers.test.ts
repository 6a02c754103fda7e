/** How the lineage of many workspaces shares the memory that it may use. */
import { expect, it, onTestFinished, vi } from "vitest";

import { createLineageFollowers } from "../../../../src/graph/lineage-index/follower.ts";
import type { NamedLineage } from "../../../../src/graph/lineage-index/named-lineage.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";

const [A, B] = [toWorkspaceId("a"), toWorkspaceId("b")];

/** Workspaces whose lineage takes so many bytes each, of a hundred. */
function setUp(sizes: Readonly<Record<string, number>>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const loads: string[] = [];
  const ends: (() => void)[] = [];
  const followers = createLineageFollowers(async (workspace, maxBytes) => {
    loads.push(`${workspace} ${maxBytes}`);
    await new Promise<void>((resolve) => ends.push(resolve));
    const bytes = sizes[workspace] ?? 0;
    // Nothing else of it is looked at.
    return bytes > maxBytes ? null : ({ bytes } as NamedLineage);
  }, 100);
  const ask = async (...workspaces: (typeof A)[]): Promise<void> => {
    for (const workspace of workspaces) followers(workspace).current();
    await vi.advanceTimersByTimeAsync(0);
  };
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { followers, loads, ask, end };
}

it("Workspaces are loaded one after the other, each within what the others leave", async () => {
  const { followers, loads, ask, end } = setUp({ a: 60, b: 40 });
  await ask(A, B);
  expect(loads).toEqual(["a 100"]);
  await end();
  expect(loads).toEqual(["a 100", "b 40"]);
  await end();
  expect([A, B].map((workspace) => followers(workspace).bytes())).toEqual([60, 40]);
});

it("Lineage that only does not fit beside others is tried again a minute later, when they may be dropped", async () => {
  const { followers, loads, ask, end } = setUp({ a: 60, b: 60 });
  await ask(A, B);
  await end();
  await end();
  expect(followers(B).current()).toBeNull();
  await vi.advanceTimersByTimeAsync(60_000);
  await ask(B);
  expect(loads).toEqual(["a 100", "b 40", "b 40"]);
});

it("Lineage that is larger than all of the memory is not tried again for an hour", async () => {
  const { loads, ask, end } = setUp({ a: 101 });
  await ask(A);
  await end();
  await vi.advanceTimersByTimeAsync(3_599_999);
  await ask(A);
  expect(loads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await ask(A);
  expect(loads).toHaveLength(2);
});
