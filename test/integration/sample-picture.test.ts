/** The picture in the README shows an answer of the service. `samples/shop/draw-impact.ts` draws it again. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { askImpactOfDrop } from "../../samples/shop/picture/ask-impact.ts";
import { drawImpact } from "../../samples/shop/picture/draw.ts";
import { startApp } from "../support/app.ts";

test("docs/impact.svg shows the impact that the service answers for the sample", async () => {
  const running = await startApp({ sample: true });
  try {
    const impact = await askImpactOfDrop(running, "shop.raw_meta_ads.ad_insights.spend");
    const picture = readFileSync(new URL("../../docs/impact.svg", import.meta.url), "utf8");
    expect(drawImpact(impact)).toBe(picture);
    const missing = impact.affected.filter(({ name }) => !picture.includes(`>${name}<`));
    expect(missing).toEqual([]);
  } finally {
    await running.close();
  }
});
