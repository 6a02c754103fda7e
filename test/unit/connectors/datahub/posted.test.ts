/** The messages in the bodies that clients of DataHub post. */
import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { postedIn } from "../../../../src/connectors/datahub/posted.ts";
import { createSlicer } from "../../../../src/work/slicer.ts";
import { leastOf, longestSlice, MOST_MS } from "../../../support/longest-slice.ts";

const entity = (aspects: object) => ({ urn: "urn:li:tag:a", ...aspects });
const said = (changeType: string, aspectName: string, json: unknown, systemMetadata?: unknown) => {
  return { entityType: "", entityUrn: "urn:li:tag:a", changeType, aspectName, aspect: { json }, systemMetadata };
};

const bodies: [name: string, body: unknown, messages: unknown[]][] = [
  ["a proposal is one message", { proposal: { a: 1 } }, [{ a: 1 }]],
  ["a batch has its proposals, whatever they are", { proposals: [{ a: 1 }, 7] }, [{ a: 1 }, 7]],
  ["an older event is one message", { entity: { value: {} } }, [{ entity: { value: {} } }]],
  [
    "a batch of older events has one message for each, with its own metadata",
    { entities: [{ value: 1 }, { value: 2 }], systemMetadata: [{ a: 1 }] },
    [
      { entity: { value: 1 }, systemMetadata: { a: 1 } },
      { entity: { value: 2 }, systemMetadata: undefined },
    ],
  ],
  [
    "an event of the platform is a message of its kind",
    { name: "entityChangeEvent", event: {} },
    [{ ...said("UPSERT", "entityChangeEvent", {}), entityUrn: "urn:li:platformEvent:entityChangeEvent" }],
  ],
  ["usage of nothing is told", { buckets: [{ bucket: 1 }, 7] }, [{ bucket: 1 }, 7]],
  ["a list of entities has their aspects", [entity({ status: { value: {} } })], [said("UPSERT", "status", {})]],
  [
    "an aspect may come without a wrapper",
    [entity({ status: { removed: true } })],
    [said("UPSERT", "status", { removed: true })],
  ],
  [
    "a patch is told by its operations",
    [entity({ globalTags: { value: { patch: [] }, systemMetadata: {} } })],
    [said("PATCH", "globalTags", { patch: [] }, {})],
  ],
  [
    "an entity without a urn does not lose the others",
    [{}, entity({ status: {} })],
    [{}, said("UPSERT", "status", {})],
  ],
  ["an entity without aspects is told, because it says nothing", [entity({})], [entity({})]],
  ["a list of nothing has no message", [], []],
  ["anything else is one message", "text", ["text"]],
];

test.for(bodies)("Of what is posted, %s", ([, body, messages]) => {
  expect([...postedIn(body)]).toEqual(messages);
});

test("Half a million posted messages are read in slices", async () => {
  const slicer = createSlicer({ next: () => setImmediate() }, { tenant: "test", signal: new AbortController().signal });
  // One object, so that the test itself leaves no garbage to collect.
  const posted = { urn: "urn:li:tag:a" };
  const body = Array.from({ length: 500_000 }, () => posted);
  const ms = await leastOf(async () => {
    let messages = 0;
    const { ms: longest } = await longestSlice(async () => {
      for (const message of postedIn(body)) {
        messages += Number(message !== null);
        if (slicer.isDue()) await slicer.next();
      }
    });
    expect(messages).toBe(body.length);
    return longest;
  });
  expect(ms).toBeLessThan(MOST_MS);
});
