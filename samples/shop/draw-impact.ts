/** Draws docs/impact.svg from the answer of a running service: `node samples/shop/draw-impact.ts URL TOKEN`. */
import { writeFileSync } from "node:fs";

import { askImpactOfDrop } from "./picture/ask-impact.ts";
import { drawImpact } from "./picture/draw.ts";

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) throw new Error("Name the service and a token: draw-impact.ts URL TOKEN");
const impact = await askImpactOfDrop({ url, token }, "shop.raw_meta_ads.ad_insights.spend");
writeFileSync(new URL("../../docs/impact.svg", import.meta.url), drawImpact(impact));
