import { expect, it } from "vitest";

import { describeWait } from "../../../src/ui/pages/connectors/sync-state.ts";

const NOW_MS = Date.parse("2026-01-01T00:00:00.000Z");

it.each([
  [0, null, "waits for its turn"],
  [1, "2026-01-01T00:00:15.000Z", "one try failed, tries again within a minute"],
  [1, "2025-12-31T23:59:50.000Z", "one try failed, tries again within a minute"],
  [5, "2026-01-01T00:08:00.000Z", "5 tries failed, tries again in 8 min"],
])("A queued sync with %i failed tries says why it does not run yet", (failedTries, nextTryAt, words) => {
  expect(describeWait({ failedTries, nextTryAt }, NOW_MS)).toBe(words);
});
