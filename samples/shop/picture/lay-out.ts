/** Where each asset stands in the picture, and what is said of it: taken from the service's answer but for the places. */
import type { Affected, Asset, ImpactOfDrop } from "./ask-impact.ts";

export type Mark = "changed" | "high" | "medium" | "low" | "unaffected";

export interface Row {
  name: string;
  mark: Mark;
  /** How the column is computed from the one before it; empty where that is not known, or where it is unaffected. */
  expression: string;
  y: number;
}

export interface Card {
  name: string;
  /** The name is a title for people, not an identifier. */
  isTitle: boolean;
  /** What it is and who owns it, such as `model · aylin.kaya`. */
  subtitle: string;
  /** What is not known of it; empty where that is nothing. */
  note: string;
  certified: boolean;
  mark: Mark;
  rows: Row[];
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Link {
  from: Point;
  to: Point;
  mark: Mark;
  /** Whether it is known which columns are used. */
  known: boolean;
  /** Runs down within a column of cards. */
  vertical: boolean;
}

interface Point {
  x: number;
  y: number;
}

interface Place {
  /** Full name of a table or model, or the name of a metric or dashboard. */
  asset: string;
  x: number;
  y: number;
  width: number;
  /** Columns to show that are not affected. */
  besides?: readonly string[];
}

const TITLE_HEIGHT = 46;
const LINE = 18;
const EXPRESSION_LINE = 17;
const BOTTOM = 8;
/** The most characters of an expression that fit into a card. */
const EXPRESSION_LENGTH = 25;

const PLACES: readonly Place[] = [
  { asset: "shop.raw_meta_ads.ad_insights", x: 28, y: 187, width: 134, besides: ["campaign_id", "impressions"] },
  { asset: "shop.staging.stg_meta_ads__campaign_days", x: 198, y: 187, width: 208, besides: ["campaign_id", "clicks"] },
  { asset: "shop.intermediate.int_ad_spend_by_day", x: 442, y: 187, width: 180, besides: ["channel", "campaign_id"] },
  { asset: "shop.finance.profit_and_loss_months", x: 658, y: 96, width: 190, besides: ["net_revenue_eur"] },
  { asset: "shop.marketing.fct_channel_days", x: 658, y: 290, width: 190, besides: ["session_count"] },
  { asset: "Board revenue report", x: 886, y: 96, width: 166 },
  { asset: "ad_spend", x: 886, y: 238, width: 166 },
  { asset: "return_on_ad_spend", x: 886, y: 314, width: 166 },
  { asset: "Marketing cockpit", x: 886, y: 390, width: 166 },
];

/** Where a link to or from an asset ends, by its id. */
type Ends = Map<string, { card: Card; y: number }>;

/** Places what the service answered. Throws if something affected has no place: the picture would not tell all. */
export function layOut(impact: ImpactOfDrop): { cards: Card[]; links: Link[] } {
  const ends: Ends = new Map();
  const cards = PLACES.map((place) => placeCard(place, impact, ends));
  const links = impact.affected.filter(({ type }) => type !== "model").map((affected) => linkTo(affected, ends));
  return { cards, links };
}

function placeCard(place: Place, impact: ImpactOfDrop, ends: Ends): Card {
  const [id, asset] = find([...impact.assets], ([, { fqn, name }]) => fqn === place.asset || name === place.asset);
  const affected = impact.affected.find((each) => each.id === id);
  const isUnknown = affected?.evidence.at(-1)?.kind === "UNKNOWN";
  const card: Card = {
    ...place,
    name: asset.name,
    isTitle: asset.type === "dashboard",
    subtitle: `${asset.type} · ${asset.owner.replace(/@.*/, "")}`,
    note: isUnknown ? "column use not known" : "",
    certified: asset.certification === "certified",
    mark: affected?.risk ?? "changed",
    rows: [],
    height: TITLE_HEIGHT + (isUnknown ? LINE : 0),
  };
  ends.set(id, { card, y: place.y + TITLE_HEIGHT / 2 });
  addRows(card, asset, place.besides ?? [], impact, ends);
  return card;
}

/** Adds the columns below the title: those that are not affected, then the one that is dropped, then the affected ones. */
function addRows(card: Card, table: Asset, besides: readonly string[], impact: ImpactOfDrop, ends: Ends): void {
  const add = (row: Omit<Row, "y">): number => {
    const y = card.y + card.height + LINE / 2;
    card.rows.push({ ...row, y });
    card.height += LINE + (row.expression === "" ? 0 : EXPRESSION_LINE);
    return y;
  };
  for (const name of besides) {
    find(table.columns, (column) => column.name === name);
    add({ name, mark: "unaffected", expression: "" });
  }
  if (isColumnOf(impact.changed, table.fqn)) {
    const name = impact.changed.slice(table.fqn.length + 1);
    ends.set(impact.changedId, { card, y: add({ name, mark: "changed", expression: "" }) });
  }
  for (const column of impact.affected.filter(({ id }) => isColumnOf(impact.assets.get(id)?.fqn ?? "", table.fqn))) {
    const y = add({ name: column.name, mark: column.risk, expression: expressionOf(column, impact) });
    ends.set(column.id, { card, y });
  }
  if (card.rows.length > 0) card.height += BOTTOM;
}

/** The last hop of the path to an affected asset. */
function linkTo({ id, path, risk, evidence }: Affected, ends: Ends): Link {
  const [from, to] = [ends.get(path.at(-2) ?? ""), ends.get(id)];
  if (from === undefined || to === undefined) throw new Error(`${id} has no place in the picture.`);
  const link = { mark: risk, known: evidence.at(-1)?.kind !== "UNKNOWN" };
  if (from.card.x === to.card.x) {
    const x = to.card.x + to.card.width / 2;
    return { ...link, vertical: true, from: { x, y: from.card.y + from.card.height }, to: { x, y: to.card.y } };
  }
  const start = { x: from.card.x + from.card.width, y: from.y };
  return { ...link, vertical: false, from: start, to: { x: to.card.x, y: to.y } };
}

/** The column's formula as far as it fits: without its cast, qualifiers, and what is far from the affected column. */
function expressionOf({ path, evidence }: Affected, { assets, changedId, changed }: ImpactOfDrop): string {
  const source = path.at(-2) ?? "";
  const used = source === changedId ? changed.replace(/.*\./, "") : (assets.get(source)?.name ?? "");
  const whole = (evidence.at(-1)?.expression ?? "")
    .replace(/^CAST\((.*) AS \w+(\(.*?\))?\)$/, "$1")
    .replaceAll(/\b\w+\./g, "");
  if (whole.length <= EXPRESSION_LENGTH) return whole;
  const [before, after] = whole.split(used);
  return `${before === "" ? "" : "… - "}${used}${after === "" ? "" : " - …"}`;
}

function isColumnOf(fqn: string, table: string): boolean {
  return table !== "" && fqn.slice(0, fqn.lastIndexOf(".")) === table;
}

function find<T>(all: readonly T[], isWanted: (each: T) => boolean): T {
  const found = all.find(isWanted);
  if (found === undefined) throw new Error("The picture places something that the service did not answer.");
  return found;
}
