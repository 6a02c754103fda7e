/** Draws the picture: an SVG of its own, readable on light and dark pages, with no script and no font of its own. */
import type { ImpactOfDrop } from "./ask-impact.ts";
import { type Card, layOut, type Link, type Mark, type Row } from "./lay-out.ts";

const WIDTH = 1080;
const HEIGHT = 530;

const STYLE = `
  :root { --page: #ffffff; --card: #ffffff; --line: #d8dee4; --text: #1f2328; --muted: #6b7480; --canvas: #f6f8fa;
    --high: #cf222e; --high-tint: #ffebe9; --medium: #9a6700; --medium-tint: #fff4d0; --good: #1a7f37; --on: #ffffff; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #0d1117; --card: #161b22; --line: #30363d; --text: #e6edf3; --muted: #8d96a0; --canvas: #0d1117;
      --high: #ff7b72; --high-tint: #3d1a1d; --medium: #e3b341; --medium-tint: #342a0d; --good: #56d364; --on: #0d1117; }
  }
  text { font-family: ui-sans-serif, -apple-system, "Segoe UI", Inter, Roboto, Helvetica, Arial, sans-serif; fill: var(--text); }
  .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace; }
  .canvas { fill: var(--canvas); stroke: var(--line); }
  .card { fill: var(--card); stroke: var(--mark); stroke-opacity: 0.6; stroke-width: 1.2; }
  .rule { stroke: var(--line); }
  .muted { fill: var(--muted); }
  .high { --mark: var(--high); --tint: var(--high-tint); }
  .medium { --mark: var(--medium); --tint: var(--medium-tint); }
  .ink { fill: var(--mark); }
  .tint { fill: var(--tint); }
  .link { fill: none; stroke: var(--mark); stroke-width: 1.6; }
  .unknown { stroke-dasharray: 4 4; }
  .good { fill: var(--good); }
  .on { fill: var(--on); }
  .struck { text-decoration: line-through; }
`;

const REASON_OF = "ad_spend";

/** The whole SVG file. */
export function drawImpact(impact: ImpactOfDrop): string {
  const { cards, links } = layOut(impact);
  const columns = impact.affected.filter(({ type }) => type === "column");
  const assets = impact.affected.filter(({ type }) => type !== "column");
  const countRisk = (risk: Mark): number => assets.filter((affected) => affected.risk === risk).length;
  const owners = new Set(impact.affected.map(({ owner }) => owner)).size;
  const reason = impact.affected.find(({ name }) => name === REASON_OF)?.reason ?? "";
  const description =
    `Dropping the column ${impact.changed} affects ${assets.length} assets and metrics with ${columns.length} columns: ` +
    impact.affected.map(({ type, name, risk }) => `${type} ${name} (${risk})`).join(", ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">What breaks when one column is dropped</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    `<style>${STYLE}</style>`,
    ...["high", "medium"].map(drawArrowhead),
    `<rect class="canvas" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="12"/>`,
    `<g class="high"><rect class="ink" x="28" y="28" width="112" height="24" rx="12"/>`,
    `<text class="on" x="84" y="44.5" font-size="12" font-weight="600" text-anchor="middle">drop column</text></g>`,
    `<text class="mono" x="152" y="45" font-size="15" font-weight="600">${escape(impact.changed)}</text>`,
    drawCount(632, assets.length, "assets"),
    drawCount(712, columns.length, "columns"),
    drawCount(826, countRisk("high"), "high", "high"),
    drawCount(896, countRisk("medium"), "medium", "medium"),
    drawCount(988, owners, "owners"),
    `<line class="rule" x1="28" x2="${WIDTH - 28}" y1="70" y2="70"/>`,
    ...links.map(drawLink),
    ...cards.flatMap(drawCard),
    `<line class="rule" x1="28" x2="${WIDTH - 28}" y1="464" y2="464"/>`,
    ...drawReason(reason),
    `</svg>`,
    "",
  ].join("\n");
}

function drawArrowhead(mark: string): string {
  return (
    `<marker id="arrow-${mark}" class="${mark}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5.5" markerHeight="5.5" orient="auto">` +
    `<path class="ink" d="M0 0.5 L8 4 L0 7.5 z"/></marker>`
  );
}

function drawCount(x: number, count: number, label: string, mark?: Mark): string {
  const dot = mark === undefined ? "" : `<circle class="ink" cx="${x - 9}" cy="40" r="4"/>`;
  return (
    `<g${mark === undefined ? "" : ` class="${mark}"`}>${dot}<text x="${x}" y="45" font-size="15"><tspan font-weight="700">${count}</tspan>` +
    `<tspan class="muted" font-size="13"> ${label}</tspan></text></g>`
  );
}

function drawCard({ name, isTitle, subtitle, note, certified, mark, rows, x, y, width, height }: Card): string[] {
  return [
    `<g class="${mark === "changed" ? "high" : mark}">`,
    `<rect class="card" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<text${isTitle ? "" : ' class="mono"'} x="${x + 12}" y="${y + 20}" font-size="${isTitle ? 12 : 11.5}" font-weight="600">${escape(name)}</text>`,
    `<text class="muted" x="${x + 12}" y="${y + 36}" font-size="11">${escape(subtitle)}</text>`,
    certified ? drawSeal(x + width - 19, y + 32) : "",
    note === "" ? "" : `<text class="ink" x="${x + 12}" y="${y + 52}" font-size="11">${escape(note)}</text>`,
    ...rows.flatMap((row) => drawRow(row, x, width)),
    `</g>`,
  ].filter((line) => line !== "");
}

/** The sign of a certified asset. */
function drawSeal(x: number, y: number): string {
  return (
    `<g><title>certified</title><circle class="good" cx="${x}" cy="${y}" r="6.5"/>` +
    `<path d="M${x - 3} ${y} l2.2 2.3 l4 -4.4" fill="none" stroke="var(--card)" stroke-width="1.7"/></g>`
  );
}

function drawRow({ name, mark, expression, y }: Row, x: number, width: number): string[] {
  if (mark === "unaffected") {
    return [`<text class="mono muted" x="${x + 12}" y="${y + 4}" font-size="11">${escape(name)}</text>`];
  }
  const height = expression === "" ? 18 : 33;
  const label = `x="${x + 12}" y="${y + 4}" font-size="11" font-weight="600">${escape(name)}</text>`;
  if (mark === "changed") {
    return [
      `<rect class="ink" x="${x + 5}" y="${y - 9}" width="${width - 10}" height="${height}" rx="4"/>`,
      `<text class="mono on struck" ${label}`,
    ];
  }
  const formula = `<text class="mono muted" x="${x + 12}" y="${y + 19}" font-size="10">${escape(expression)}</text>`;
  return [
    `<rect class="tint" x="${x + 5}" y="${y - 9}" width="${width - 10}" height="${height}" rx="4"/>`,
    `<text class="mono ink" ${label}`,
    ...(expression === "" ? [] : [formula]),
  ];
}

function drawLink({ from, to, mark, known, vertical }: Link): string {
  const bend = (to.x - from.x) / 2;
  const path = vertical
    ? `M${from.x} ${from.y} V${to.y}`
    : `M${from.x} ${from.y} C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
  return `<g class="${mark}"><path class="link${known ? "" : " unknown"}" d="${path}" marker-end="url(#arrow-${mark})"/></g>`;
}

/** A reason, as the service words it, on two lines. */
function drawReason(reason: string): string[] {
  const cut = reason.indexOf(":") + 1;
  return [reason.slice(0, cut), reason.slice(cut)].map((line, index) => {
    const spans = line
      .trim()
      .split("`")
      .map((part, place) =>
        place % 2 === 1 ? `<tspan class="mono" font-size="11.5">${escape(part)}</tspan>` : escape(part),
      );
    return `<text class="${index === 0 ? "" : "muted"}" x="28" y="${488 + index * 20}" font-size="12.5">${spans.join("")}</text>`;
  });
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
