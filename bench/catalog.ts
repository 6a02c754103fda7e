/**
 * Measures how fast the catalog answers over HTTP: `node bench/catalog.ts [assets, default 100000] [edges, default
 * 300000]`. Each answer is timed in turns with a bare node:http server that stringifies the same answer. So the ratio
 * is meaningful on a busy machine too. 1.00 would be as fast as the bare server.
 */
import { besideBareServer, COLUMNS } from "./support/measure.ts";

const [assets = "100000", edges = "300000"] = process.argv.slice(2);

await besideBareServer({ assets, edges }, async ({ compare, loadSeconds, middle }) => {
  console.log(`loaded ${assets} assets and ${edges} edges in ${loadSeconds.toFixed(1)} s`);
  console.log(COLUMNS);
  await compare("get an asset", `/api/v1/catalog/assets/${middle}`);
  await compare("a page of 50", "/api/v1/catalog/assets?limit=50");
  await compare("search, a rare word", "/api/v1/catalog/assets?search=orders+4096");
  await compare("search, a common word", "/api/v1/catalog/assets?search=orders");
  await compare("walk to depth 3", `/api/v1/lineage/downstream?asset_id=${middle}&depth=3`);
});
