import fc from "fast-check";
import { expect, it } from "vitest";

import { createBodyMemory } from "../../../src/http/body/body-memory.ts";

/** A memory for ten bytes, six of one account, and the names of the requests that were stopped. */
function openMemory() {
  const memory = createBodyMemory({ all: 10, ofOne: 6 });
  const stopped: string[] = [];
  const open = (workspace: string, account: string, name: string) =>
    memory.open({ workspace, account, giveUp: ({ code }) => stopped.push(`${name} ${code}`) });
  return { open, stopped };
}

it("Bodies that fit are kept", () => {
  const { open, stopped } = openMemory();
  open("w", "a", "first").grow(6);
  open("w", "b", "second").grow(4);
  expect(stopped).toEqual([]);
});

it("A body that exceeds the share of its account is stopped, whichever key sends it", () => {
  const { open, stopped } = openMemory();
  const first = open("w", "a", "first");
  const second = open("w", "a", "second");
  first.grow(4);
  second.grow(3);
  expect(stopped).toEqual(["second rate_limited"]);
  first.grow(2);
  expect(stopped).toHaveLength(1);
});

it("If the memory is full, the newest body of the account with the most bytes is stopped", () => {
  const { open, stopped } = openMemory();
  open("large", "a", "old").grow(3);
  open("large", "a", "young").grow(2);
  open("large", "b", "beside").grow(4);
  open("small", "c", "innocent").grow(2);
  expect(stopped).toEqual(["young unavailable"]);
});

it("A body that was released takes no memory", () => {
  const { open, stopped } = openMemory();
  for (let n = 0; n < 5; n++) {
    const room = open("w", "a", `number ${n}`);
    room.grow(6);
    room.release();
    room.release();
  }
  expect(stopped).toEqual([]);
});

it("The bodies never take more than the limits, and no body is stopped whose account has less than another", () => {
  const step = fc.record({ workspace: fc.nat(2), account: fc.nat(2), bytes: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const memory = createBodyMemory({ all: 10, ofOne: 6 });
      const kept: { workspace: number; account: string; bytes: number }[] = [];
      const sum = (of: typeof kept) => of.reduce((total, { bytes }) => total + bytes, 0);
      for (const { workspace, account, bytes } of steps) {
        const body = { workspace, account: `${workspace}.${account}`, bytes };
        kept.push(body);
        const giveUp = () => {
          const ofWorkspace = Map.groupBy(kept, (each) => each.workspace);
          const most = Math.max(...[...ofWorkspace.values()].map(sum));
          const isOwn = sum(kept.filter((each) => each.account === body.account)) > 6;
          expect(isOwn || sum(ofWorkspace.get(body.workspace) ?? []) === most).toBe(true);
          kept.splice(kept.indexOf(body), 1);
        };
        memory.open({ workspace: String(workspace), account: body.account, giveUp }).grow(bytes);
        expect(sum(kept)).toBeLessThanOrEqual(10);
        for (const of of Map.groupBy(kept, (each) => each.account).values()) expect(sum(of)).toBeLessThanOrEqual(6);
      }
    }),
  );
});
