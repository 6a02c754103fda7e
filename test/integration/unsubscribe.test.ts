/** The link in a mail, as a mail program and a person use it. */
import { expect, it, onTestFinished } from "vitest";

import { startApp } from "../support/app.ts";

it("The link in a mail shows a page that changes nothing, and a wrong link is not found", async () => {
  const running = await startApp();
  onTestFinished(() => running.close());
  const url = `${running.url}/notices/unsubscribe/e30.x`;
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(await page.text()).toContain('<form method="post">');
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const refused = await fetch(url, { method: "POST", body });
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ error: "not_found" });
});
