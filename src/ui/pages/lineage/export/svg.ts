/**
 * Writes a picture as an SVG file of its own: without styles or scripts, with the colours of the theme, and all of it,
 * whatever part is in the window.
 */
import { formatCount } from "../../../parts/count.ts";
import { NODE_TYPE_TABLE } from "../../../parts/node-types.ts";
import { boundsOf } from "../model/fit.ts";
import type { Column, LineageNode } from "../model/graph.ts";
import { LINE_LOOKS, TIP_SHAPES } from "../model/line-looks.ts";
import { type Effect, effectOn } from "../model/impact.ts";
import { boundsOfLine, type Line, toPath } from "../model/lines.ts";
import type { Fold, Picture } from "../model/picture.ts";
import { shortenName } from "../model/names.ts";
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
  /** The path of a type's icon, on a grid of 16. */
  iconOf: (type: LineageNode["type"]) => string;
}

export interface SvgFile extends Size {
  text: string;
}

const MARGIN = 24;
const FONT = 'font-family="Geist, system-ui, sans-serif"';
/** The room for the line below a name, in characters of the average width. */
const WITHIN_CHARACTERS = 30;

export function writeSvg(input: SvgInput): SvgFile {
  const { picture, boxes, lines, title, colourOf } = input;
  const bounds = boundsOf([...boxes.values(), ...lines.map(boundsOfLine)]);
  const width = Math.ceil(bounds.width + 2 * MARGIN);
  const height = Math.ceil(bounds.height + 2 * MARGIN);
  const nodes = [...picture.nodes.values()].map((node) => writeNode(node, input));
  const folds = picture.folds.map((fold) => writeFold(fold, input));
  const text = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${bounds.x - MARGIN} ${bounds.y - MARGIN} ${width} ${height}" ${FONT}>`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="${bounds.x - MARGIN}" y="${bounds.y - MARGIN}" width="${width}" height="${height}" fill="${colourOf("--bg")}"/>`,
    ...lines.map((line) => writeLine(line, colourOf)),
    ...nodes,
    ...folds,
    "</svg>",
  ].join("\n");
  return { text, width, height };
}

function writeLine(line: Line, colourOf: SvgInput["colourOf"]): string {
  const { dash, tip, width, colour } = LINE_LOOKS[line.kind];
  const stroke = `stroke="${colourOf(colour)}"`;
  const dashes = dash === "" ? "" : ` stroke-dasharray="${dash}"`;
  const path = `<path d="${toPath(line)}" fill="none" ${stroke} stroke-width="${width}"${dashes}/>`;
  if (tip === "none") return path;
  const { path: shape, isFilled } = TIP_SHAPES[tip];
  const fill = isFilled ? colourOf(colour) : "none";
  return `${path}<path transform="translate(${line.end.x},${line.end.y})" d="${shape}" fill="${fill}" ${stroke} stroke-width="1"/>`;
}

/** What a change does to a node: the words are first among its marks. */
const EFFECTS: Readonly<Record<NonNullable<Effect>, { word: string; fill: string; stroke: string }>> = {
  changed: { word: "CHANGED", fill: "--surface", stroke: "--ink" },
  high: { word: "HIGH RISK", fill: "--bad-wash", stroke: "--bad" },
  medium: { word: "MEDIUM RISK", fill: "--warn-wash", stroke: "--warn" },
  low: { word: "low risk", fill: "--surface", stroke: "--line-strong" },
};

function writeNode(node: LineageNode, { picture, boxes, columns, colourOf, iconOf }: SvgInput): string {
  const box = boxes.get(node.id);
  if (box === undefined) return "";
  const isRoot = node.id === picture.root;
  const effect = effectOn(node.id, picture.impact);
  const look = effect === null ? null : EFFECTS[effect];
  const marks = [
    look?.word ?? null,
    node.certification === "none" ? null : node.certification,
    node.isReferenced ? "only referenced" : null,
    node.gap === null ? null : "gap",
  ].filter((it) => it !== null);
  const within = [node.type, ...marks].join(" · ");
  const names = Array.from(picture.nodes.values(), ({ name }) => name);
  const { head, tail } = shortenName(node.name, names, charactersFor(node));
  const dashes = node.isReferenced ? ' stroke-dasharray="4 3"' : "";
  return [
    `<g transform="translate(${box.x},${box.y})">`,
    `<title>${escapeXml(node.fqn)}</title>`,
    `<rect width="${box.width}" height="${box.height}" rx="10" fill="${colourOf(look?.fill ?? (isRoot ? "--accent-wash" : "--surface"))}" stroke="${colourOf(look?.stroke ?? (isRoot ? "--accent" : "--line-strong"))}"${dashes}/>`,
    `<path transform="translate(12,19)" d="${iconOf(node.type)}" fill="none" stroke="${colourOf(NODE_TYPE_TABLE[node.type].colour)}" stroke-width="1.3"/>`,
    writeText(36, 24, head + tail, `font-size="13" font-weight="500" fill="${colourOf("--ink")}"`),
    writeText(36, 40, cut(within, WITHIN_CHARACTERS), `font-size="11" fill="${colourOf("--ink-soft")}"`),
    ...writeColumns(columns.get(node.id), colourOf),
    "</g>",
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
