/**
 * Takes the pictures of the README from a running service that has loaded the sample, as a person who can log in:
 * `node samples/shop/take-pictures.ts URL E-MAIL PASSWORD`. CHROMIUM is the path of a browser.
 */
import { fileURLToPath } from "node:url";

import { chromium, type Page } from "playwright-core";

const [url, email, password] = process.argv.slice(2);
if (url === undefined || email === undefined || password === undefined) {
  throw new Error("Name the service and a person: take-pictures.ts URL E-MAIL PASSWORD");
}

/** Long enough for the canvas to be laid out. */
const REST_MS = 3_000;

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 810 }, reducedMotion: "reduce" });
await page.goto(url);
await page.getByLabel("E-mail").fill(email);
await page.getByLabel("Password", { exact: true }).fill(password);
await page.getByRole("button", { name: "Log in", exact: true }).click();
await page.getByRole("link", { name: "Catalog", exact: true }).waitFor();

await page.goto(`${url}/catalog?q=fct_orders&type=model`);
await page.getByRole("link", { name: "fct_orders", exact: true }).click();
await page.waitForURL("**/assets/*");
const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

await take(page, "asset", `/assets/${id}`);
await take(page, "catalog", "/catalog?q=refund");
await take(page, "lineage", `/lineage/${id}`);
await take(page, "what-breaks", `/lineage/${id}?change=column_drop`);
await browser.close();

async function take(from: Page, name: string, path: string): Promise<void> {
  await from.goto(`${url}${path}`);
  await from.waitForTimeout(REST_MS);
  await from.screenshot({ path: fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url)) });
}
