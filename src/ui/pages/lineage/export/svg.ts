/**
 * Writes a picture as an SVG file of its own: without styles or scripts, with the colours of the theme, and all of it,
 * whatever part is in the window.
 */
import { formatCount } from "../../../parts/count.ts";
import { NODE_TYPE_TABLE } from "../../../parts/node-types.ts";
import { boundsOf } from "../model/fit.ts";
import { type Column, type Difference, type LineageNode, type Side, sideKey, SIDES } from "../model/graph.ts";
import { describeDiff, DIFFERENCES, differenceOf } from "../model/diff.ts";
import { DIFFERENCE_LOOKS, lookOf, TIP_SHAPES } from "../model/line-looks.ts";
import { describeAffected, type Effect, effectOn } from "../model/impact.ts";
import { boundsOfLine, type Line, toPath } from "../model/lines.ts";
import { describeUndrawn, type Fold, type Picture, writeUnseen } from "../model/picture.ts";
import { breakName, describePlace } from "../model/names.ts";
import { type Box, charactersFor, chooseColumns, COLUMN_HEIGHT, NODE_HEIGHT, type Size } from "../model/sizes.ts";

export interface SvgInput {
  title: string;
  picture: Picture;
  boxes: ReadonlyMap<string, Box>;
  lines: readonly Line[];
  /** Of the nodes whose columns are shown. */
  columns: ReadonlyMap<string, readonly Column[]>;
  /** The colour of a token, such as `--ink`. */
  colourOf: (token: string) => string;
}

type SvgFile = Size & { text: string };

const MARGIN = 24;
const FONT = 'font-family="Geist, system-ui, sans-serif"';
/** The room for the line below a name, in characters of the average width. */
const WITHIN_CHARACTERS = 36;

export function writeSvg(input: SvgInput): SvgFile {
  const { picture, boxes, lines, title, colourOf } = input;
  const bounds = boundsOf([...boxes.values(), ...lines.map(boundsOfLine)]);
  const legend = writeLegend(picture, { x: bounds.x, y: bounds.y + bounds.height + MARGIN }, colourOf);
  const width = Math.ceil(Math.max(bounds.width, legend.width) + 2 * MARGIN);
  const height = Math.ceil(bounds.height + legend.height + 2 * MARGIN);
  const nodes = [...picture.nodes.values()].map((node) => writeNode(node, input));
  const folds = picture.folds.map((fold) => writeFold(fold, input));
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${bounds.x - MARGIN} ${bounds.y - MARGIN} ${width} ${height}" ${FONT}>`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="${bounds.x - MARGIN}" y="${bounds.y - MARGIN}" width="${width}" height="${height}" fill="${colourOf("--bg")}"/>`,
    ...lines.map((line) => writeLine(line, colourOf)),
    ...nodes,
    ...folds,
    legend.text,
    "</svg>",
  ].join("\n");
  return { text, width, height };
}

function writeLine(line: Line, colourOf: SvgInput["colourOf"]): string {
  const { dash, tip, width, colour } = lookOf(line);
  const stroke = `stroke="${colourOf(colour)}"`;
  const dashes = dash === "" ? "" : ` stroke-dasharray="${dash}"`;
  const path = `<path d="${toPath(line)}" fill="none" ${stroke} stroke-width="${width}"${dashes}/>`;
  if (tip === "none") return path;
  const { path: shape, isFilled } = TIP_SHAPES[tip];
  const fill = isFilled ? colourOf(colour) : "none";
  return `${path}<path transform="translate(${line.end.x},${line.end.y})" d="${shape}" fill="${fill}" ${stroke} stroke-width="1"/>`;
}

interface NodeLook {
  word: string;
  fill: string;
  stroke: string;
  /** More attributes of the border. */
  border?: string;
}

/** What a change does to a node: the words are first among its marks. */
const EFFECTS: Readonly<Record<NonNullable<Effect>, NodeLook>> = {
  changed: { word: "CHANGED", fill: "--surface", stroke: "--ink" },
  high: { word: "HIGH RISK", fill: "--bad-wash", stroke: "--bad" },
  medium: { word: "MEDIUM RISK", fill: "--warn-wash", stroke: "--warn" },
  low: { word: "low risk", fill: "--surface", stroke: "--line-strong" },
};

/** How a node differs: a word first among its marks, and a border and a stripe of its own, as on the canvas. */
const MARKS: Readonly<Record<Difference, NodeLook & { stripe: string }>> = {
  added: { word: "ADDED", fill: "--good-wash", stroke: "--good", border: ' stroke-width="2"', stripe: "" },
  removed: {
    word: "REMOVED",
    fill: "--bad-wash",
    stroke: "--bad",
    border: ' stroke-width="2" stroke-dasharray="6 4"',
    stripe: "2 5",
  },
  changed: { word: "CHANGED", fill: "--warn-wash", stroke: "--warn", stripe: "6 4" },
};

/** @param inset how far it ends from the corners, which are round */
function writeStripe(
  difference: Difference,
  { height, inset }: { height: number; inset: number },
  colourOf: SvgInput["colourOf"],
): string {
  const { stroke, stripe } = MARKS[difference];
  const dashes = stripe === "" ? "" : ` stroke-dasharray="${stripe}"`;
  return `<path d="M3,${inset} V${height - inset}" stroke="${colourOf(stroke)}" stroke-width="6"${dashes}/>`;
}

const LEGEND_ROW = 24;
/** The average width of a character of 13 pixels. */
const CHARACTER = 6.8;
const SAMPLE = 36;

/** Below the picture: what is not drawn, which two states are compared, and how each difference looks. */
function writeLegend(
  { undrawn, hidden, diff, impact }: Picture,
  { x, y }: { x: number; y: number },
  colourOf: SvgInput["colourOf"],
): SvgFile {
  const sentences = [
    ...(diff === null ? [] : describeDiff(diff)),
    ...(impact === null ? [] : describeAffected(impact)),
    ...describeUndrawn({ undrawn, hidden }),
  ];
  if (sentences.length === 0) return { text: "", width: 0, height: 0 };
  const ink = `font-size="13" fill="${colourOf("--ink")}"`;
  const text = sentences.map((each, row) => writeText(0, row * LEGEND_ROW + 12, each, `${ink} font-weight="500"`));
  const samples = diff === null ? [] : DIFFERENCES;
  const rows = samples.map((difference, row) => {
    const { fill, stroke, border = "" } = MARKS[difference];
    const { width, dash = "" } = DIFFERENCE_LOOKS[difference];
    const colour = colourOf(stroke);
    return [
      `<g transform="translate(0,${(sentences.length + row) * LEGEND_ROW})">`,
      `<rect width="${SAMPLE}" height="18" rx="4" fill="${colourOf(fill)}" stroke="${colour}"${border}/>`,
      writeStripe(difference, { height: 18, inset: 1 }, colourOf),
      `<path d="M${SAMPLE + 8},9 h${SAMPLE}" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash || "none"}"/>`,
      writeText(2 * SAMPLE + 16, 14, difference, ink),
      "</g>",
    ].join("");
  });
  return {
    text: `<g transform="translate(${x},${y})">${[...text, ...rows].join("")}</g>`,
    width: Math.max(...sentences.map(({ length }) => length)) * CHARACTER,
    height: MARGIN + (sentences.length + samples.length) * LEGEND_ROW,
  };
}

function writeNode(node: LineageNode, { picture, boxes, columns, colourOf }: SvgInput): string {
  const box = boxes.get(node.id);
  if (box === undefined) return "";
  const isRoot = node.id === picture.root;
  const effect = effectOn(node.id, picture.impact);
  const difference = effect === null ? differenceOf(node.id, picture.diff) : null;
  const look = (effect && EFFECTS[effect]) ?? (difference && MARKS[difference]);
  const marks = [
    look?.word ?? null,
    node.certification === "none" ? null : node.certification,
    node.isReferenced ? "only referenced" : null,
    node.gap === null ? null : "gap",
  ].filter((it) => it !== null);
  const within = [...new Set([node.type, ...marks, describePlace(node)])].join(" · ");
  const names = Array.from(picture.nodes.values(), ({ name }) => name);
  const label = breakName(node.name, names, charactersFor(node)).split("\n");
  /** Of the first line. */
  const top = label.length > 1 ? 17 : 24;
  const dashes = node.isReferenced ? ' stroke-dasharray="4 3"' : "";
  const type = NODE_TYPE_TABLE[node.type];
  return [
    `<g transform="translate(${box.x},${box.y})">`,
    `<title>${escapeXml(node.fqn)}</title>`,
    `<rect width="${box.width}" height="${box.height}" rx="10" fill="${colourOf(look?.fill ?? (isRoot ? "--accent-wash" : "--surface"))}" stroke="${colourOf(look?.stroke ?? (isRoot ? "--accent" : "--line-strong"))}"${dashes || (look?.border ?? "")}/>`,
    difference === null ? "" : writeStripe(difference, { height: box.height, inset: 4 }, colourOf),
    `<path transform="translate(12,19)" d="${type.icon}" fill="none" stroke="${colourOf(type.colour)}" stroke-width="1.3"/>`,
    ...label.map((line, row) =>
      writeText(36, top + 15 * row, line, `font-size="13" font-weight="500" fill="${colourOf("--ink")}"`),
    ),
    writeText(
      36,
      label.length > 1 ? 47 : 40,
      cut(within, WITHIN_CHARACTERS),
      `font-size="11" fill="${colourOf("--ink-soft")}"`,
    ),
    ...writeColumns(columns.get(node.id), colourOf),
    ...SIDES.map((side) => writeBadge(picture.unseen.get(sideKey(node.id, side)) ?? 0, side, { box, colourOf })),
    "</g>",
  ].join("");
}

const BADGE_HEIGHT = 20;
/** How far it overlaps its node. */
const BADGE_INSIDE = 14;

/** How many neighbours of a node are not in the picture, where the canvas has the button that shows them. */
function writeBadge(
  count: number,
  side: Side,
  { box, colourOf }: { box: Box; colourOf: SvgInput["colourOf"] },
): string {
  if (count === 0) return "";
  const text = writeUnseen(count);
  const width = 10 + text.length * CHARACTER;
  const x = side === "up" ? BADGE_INSIDE - width : box.width - BADGE_INSIDE;
  return [
    `<rect x="${x}" y="38" width="${width}" height="${BADGE_HEIGHT}" rx="${BADGE_HEIGHT / 2}" fill="${colourOf("--raised")}" stroke="${colourOf("--line-strong")}"/>`,
    writeText(x + width / 2, 52, text, `font-size="12" text-anchor="middle" fill="${colourOf("--ink-soft")}"`),
  ].join("");
}

/** Where the text of a column is written, from the upper edge of its node. */
function rowAt(row: number): number {
  return NODE_HEIGHT + (row + 0.7) * COLUMN_HEIGHT;
}

function writeColumns(columns: readonly Column[] | undefined, colourOf: SvgInput["colourOf"]): string[] {
  if (columns === undefined) return [];
  const { shown, more } = chooseColumns(columns);
  const rows = shown.map(({ name }, row) =>
    writeText(12, rowAt(row), cut(name, WITHIN_CHARACTERS), `font-size="12" fill="${colourOf("--ink")}"`),
  );
  const rest = `and ${more} more`;
  return more > 0
    ? [...rows, writeText(12, rowAt(shown.length), rest, `font-size="11" fill="${colourOf("--ink-soft")}"`)]
    : rows;
}

function writeFold({ id, count }: Fold, { boxes, colourOf }: SvgInput): string {
  const box = boxes.get(id);
  if (box === undefined) return "";
  return [
    `<g transform="translate(${box.x},${box.y})">`,
    `<rect width="${box.width}" height="${box.height}" rx="10" fill="${colourOf("--sunken")}" stroke="${colourOf("--line-strong")}" stroke-dasharray="4 3"/>`,
    writeText(12, 22, `+ ${formatCount(count)} more`, `font-size="13" fill="${colourOf("--ink-soft")}"`),
    "</g>",
  ].join("");
}

function writeText(x: number, y: number, text: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeXml(text)}</text>`;
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}

function escapeXml(text: string): string {
  return (
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      // Characters that XML cannot have, such as those that control a terminal.
      .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "�")
  );
}
