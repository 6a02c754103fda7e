import { describe, expect, it } from "vitest";

import { describeName, describeValue } from "../../../src/ui/pages/settings/audit/details.ts";

describe("the details of an audit event", () => {
  it("have names in words", () => {
    expect(["email", "expiresAt", "removal_share"].map(describeName)).toEqual(["email", "expires at", "removal share"]);
  });

  it("have lists and absent values in words, and say all of what is nested", () => {
    expect(describeValue(["read", "write"])).toBe("read, write");
    expect([null, "", []].map(describeValue)).toEqual(["none", "none", "none"]);
    expect([false, 40, "dbt"].map(describeValue)).toEqual(["false", "40", "dbt"]);
    expect(describeValue({ cron: "@daily", zone: null })).toBe('{"cron":"@daily","zone":null}');
  });

  it("say what was changed from what to what", () => {
    expect(describeValue({ from: ["daily"], to: [] })).toBe("daily → none");
  });
});
