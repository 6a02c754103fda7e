import { expect, it } from "vitest";

import { parseStep } from "../../../src/catalog/certification.ts";

it("A stored step of an earlier version that is called decay is read as a lapse", () => {
  const step = {
    action: "decay",
    from: "certified",
    to: "pending",
    actor: "tributary",
    at: "",
    note: "",
    definitionHash: "",
  };
  expect(parseStep(JSON.stringify(step))).toEqual({ ...step, action: "lapse" });
  expect(parseStep(JSON.stringify({ ...step, action: "certify" })).action).toBe("certify");
});
