import { expect, test } from "vitest";

import { html, json, prose } from "../../../src/rest/docs/html.ts";

test("Text is escaped, pieces are not, and absent values leave nothing", () => {
  const inner = html`<b>${'<&">'}</b>`;
  expect(html`<p>${inner}${null}${false}${undefined}${["x", 0]}</p>`.text).toBe("<p><b>&lt;&amp;&quot;&gt;</b>x0</p>");
});

test("Names in backticks become code, and stay escaped", () => {
  expect(prose("use `<a>` & go").text).toBe("use <code>&lt;a&gt;</code> &amp; go");
});

test("JSON tells keys, text and other values apart, even in text that looks like JSON", () => {
  const { text } = json({ a: 'say "b": 1, true', c: [null, -1.5] });
  expect(text).toContain('<span class="key">&quot;a&quot;</span>: <span class="string">');
  expect(text.match(/class="key"/g)).toHaveLength(2);
  expect(text.match(/class="string"/g)).toHaveLength(1);
  expect(text.match(/class="literal"/g)).toHaveLength(2);
});
