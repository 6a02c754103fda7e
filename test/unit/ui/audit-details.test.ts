import { describe, expect, it } from "vitest";

import { describeName, describeValue } from "../../../src/ui/pages/settings/audit/words.ts";

describe("Details of an audit event", () => {
  it("describeName writes the name of a detail in words", () => {
    expect(["email", "expiresAt", "removal_share"].map(describeName)).toEqual(["email", "expires at", "removal share"]);
  });

  it("describeValue writes lists and absent values in words, and nested values completely", () => {
    expect(describeValue(["read", "write"])).toBe("read, write");
    expect([null, "", []].map(describeValue)).toEqual(["none", "none", "none"]);
    expect([false, 40, "dbt"].map(describeValue)).toEqual(["false", "40", "dbt"]);
    expect(describeValue({ cron: "@daily", zone: null })).toBe('{"cron":"@daily","zone":null}');
  });

  it("describeValue writes a change as the old and the new value", () => {
    expect(describeValue({ from: ["daily"], to: [] })).toBe("daily → none");
  });
});
