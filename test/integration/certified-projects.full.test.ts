/** Pull requests that rename a model of the sample: the prediction of the check, and the result of the sync. */
import { describe, expect, it } from "vitest";

import {
  lapsesByRenames,
  openCertifiedProject,
  RENAMED,
  renameModel,
  rewriteModel,
} from "../support/certified-project.ts";
import { SHOP } from "../support/edited-shop.ts";

const LIMIT = { timeout: 300_000 };

describe("a renamed model of the sample", LIMIT, () => {
  it("A renamed model of the sample lapses no certification, in the check and in the sync after the merge", async () => {
    const project = await openCertifiedProject(SHOP);
    await project.certifyAll();
    expect(await project.check(project.edit(() => {}))).toEqual({});
    const names = ["stg_stripe__refunds", "int_orders_in_eur", "fct_orders"];
    const ids = names.map((name) => `model.shop.${name}`);
    expect(await lapsesByRenames(project, ids)).toEqual({});
  });

  it("A renamed model that computes something else lapses certifications, with a reason that has both names", async () => {
    const project = await openCertifiedProject(SHOP);
    await project.certifyAll();
    const manifest = project.edit((edited) => {
      const id = "model.shop.fct_orders";
      rewriteModel(edited, id, "orders.gross_revenue_eur,", "orders.gross_revenue_eur * 2 as gross_revenue_eur,");
      renameModel(edited, id, RENAMED);
    });
    const foretold = await project.check(manifest);
    expect(foretold["gross_revenue"]).toMatch(
      /^Model `renamed_model`, which replaces `fct_orders`, changed its SQL; column `gross_revenue_eur` of `renamed_model`, which replaces `fct_orders`, is now `\S*gross_revenue_eur \* 2`/,
    );
    expect(Object.keys(foretold)).not.toContain("refunded_amount");
    expect(Object.values(foretold).join()).not.toMatch(/[0-9a-f]{32}/);
    expect(await project.merge(manifest)).toEqual(foretold);
  });
});
