/** The words that questions are made of, apart from the names that they are about. One line a meaning; all are folded. */
import type { NodeType } from "../../catalog/asset.ts";

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Words of grammar: they count for little in a name too. */
export const GRAMMAR: ReadonlySet<string> = new Set(
  list(`
  a an the of in on at to for from with by and or is are was were be been being am do does did doing it its this that
  these those there here i me my we us our you your he she they their them his her him what which who whom whose when
  where why how can could would should may might will shall must if then than as into onto out about not no nor so but s t`),
);

/** Words that say nothing of what a question is about, though a name may have them. */
const FILLERS: ReadonlySet<string> = new Set(
  list(`
  please any all some every each also just only really actually exactly currently now let got get gets getting has have
  had having one ones thing things something anything everything anyone someone everyone people hey hi hello ok okay thanks
  many much more most other others else still yet ever already again too very both either neither between within inside
  nobody somebody anybody noone none everybody whoever whatever whichever wherever once twice
  going stay stays keep keeps kept put puts sit sits turn turns begin begins start starts
  kind kinds sort sorts way ways bit part parts case number numbers value values
  time times day days week weeks month months quarter quarters year years hour hours yesterday today tomorrow night
  big small large new first second next before after during until while because since without whether though
  simply right good true sure possible able allowed supposed meant
  like rather than well often always never sometimes usually quick quickly little few several lot lots bunch own
  say says said call calls think thinks believe guess mind idea understand learn check verify confirm
  roughly overall general generally specific specifically particular around along across among amongst beside near close far
  somewhere anywhere everywhere nowhere
  tell show give list find know want need see look looking help question wonder wondering trying try
  data catalog warehouse asset assets up down over under off through via per file office`),
);

/** What a type is called by people, and which types that means. */
const TYPE_WORDS: Readonly<Record<string, readonly NodeType[]>> = {
  table: ["table", "model"],
  dataset: ["table", "model"],
  relation: ["table", "model"],
  view: ["table", "model"],
  source: ["table"],
  seed: ["table"],
  snapshot: ["table"],
  model: ["model"],
  metric: ["metric"],
  kpi: ["metric"],
  measure: ["metric"],
  figure: ["metric"],
  dashboard: ["dashboard"],
  report: ["dashboard"],
  notebook: ["dashboard"],
  screen: ["dashboard"],
  chart: ["dashboard"],
  pipeline: ["pipeline"],
  export: ["pipeline"],
  job: ["pipeline"],
  loader: ["pipeline"],
  column: ["column"],
  field: ["column"],
  attribute: ["column"],
};

/** Words that say what is asked; the rules of `intent.ts` are written with them. */
const CUE_WORDS: ReadonlySet<string> = new Set(
  list(`
  use uses used using usage user users consume consumes consumed consumer consumers read reads reading rely relies relying
  feed feeds fed feeding supply supplies upstream downstream depend depends depending dependent dependents dependency
  dependencies come comes coming came origin origins originate originates derive derives derived built build builds
  made make makes powered power powers powering behind based input inputs source sources lineage flow flows populate
  populates populated contain contains containing hold holds holding include includes store stores stored live lives
  own owns owned owner owners ownership responsible maintain maintains maintained maintainer contact charge steward belong
  belongs ask team talk speak
  break breaks broken breaking impact impacts impacted affect affects affected drop dropped dropping drops delete deleted
  deleting remove removed removing removal rename renamed renaming renames deprecate deprecating retire retired retiring
  change changes changed changing type types blast radius notify warn inform safe safely happen happens consequence
  consequences notice notices
  define defined defines definition defining compute computed computes computing calculate calculated calculates calculation
  formula expression sql measured mean means meaning meant describe described description explain explained work works
  certified certify certifies certification pending deprecated uncertified undocumented documented documentation unowned
  ownerless approved trust trusted trustworthy reliable official signed vouched status
  tag tags tagged tagging label labelled labeled marked
  count number total amount quantity
  fresh freshness stale recent recently last latest updated update updates refreshed refresh sync syncs synced crawl crawled
  crawls ran run runs loaded date old healthy health fail failed errors error connector connectors connection go went current
  path route way connect connected connects connection related relate relation relationship link linked links reach reaches
  end ends
  compare compared comparison difference differences differ differs different versus vs distinguish same
  schema structure fields columns called named name names missing without lack lacks lacking
  die dies died suffer suffers miss missed fail fails crash crashes lose loses lost longer warned schedule scheduled
  automatic automatically itself obsolete legacy outdated stop avoid rest rests sign sliced split broken
  filter filters dimension dimensions grain granularity slice logic owners teams tags related concerning regarding
  add adds added sum sums summed subtract subtracted multiplied
  row rows record records informed disappear disappears disappeared vanish vanished take takes taken
  rule rules criteria basis qualify qualifies
  goes go gone away wrong hear hears heard
  deletes carry carries carried marked filled imported ingested divided divide numerator denominator doing
  load loads loading exist exists direct directly indirectly ultimately eventually original raw immediate immediately`),
);

/** Parts of names that tell a layer of the warehouse rather than what is in it. */
export const LAYER_WORDS: ReadonlySet<string> = new Set(
  list(`stg staging int intermediate fct fact dim dimension raw src source mart marts tbl vw base`),
);

/** What people call a layer, and how names do. */
export const LAYER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    staging: ["stg"],
    staged: ["stg", "staging"],
    intermediate: ["int"],
    fact: ["fct"],
    facts: ["fct"],
    dimension: ["dim"],
    source: ["raw"],
  }),
);

/** Words that say the same of data everywhere, whatever the business. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    client: ["customer"],
    buyer: ["customer"],
    purchase: ["order"],
    parcel: ["shipment"],
    delivery: ["shipment"],
    return: ["refund"],
    item: ["line", "product"],
    article: ["product"],
    visit: ["session"],
    calendar: ["date"],
    mail: ["email"],
    advertising: ["ad"],
    cost: ["spend"],
    spending: ["spend"],
    percent: ["rate", "ratio", "share"],
    percentage: ["rate", "ratio", "share"],
    proportion: ["rate", "ratio", "share"],
    attrition: ["churn"],
    vendor: ["supplier"],
    supplier: ["vendor"],
    inventory: ["stock"],
    stock: ["inventory"],
    telephone: ["phone"],
    complaint: ["ticket"],
    employee: ["staff"],
    robot: ["bot"],
  }),
);

/** Whether a word says something of what the question is about. */
export function isContent(word: string): boolean {
  return !GRAMMAR.has(word) && !FILLERS.has(word) && !CUE_WORDS.has(word) && typesOf(word) === null;
}

/** Whether a word is more than grammar. */
export function isSomething(word: string): boolean {
  return !GRAMMAR.has(word);
}

/** The types that a word names, in the singular or the plural; null where it names none. */
export function typesOf(word: string): readonly NodeType[] | null {
  const single = word.endsWith("s") ? word.slice(0, -1) : word;
  if (Object.hasOwn(TYPE_WORDS, word)) return TYPE_WORDS[word] ?? null;
  return Object.hasOwn(TYPE_WORDS, single) ? (TYPE_WORDS[single] ?? null) : null;
}

/** Words of questions that someone may misspell. */
export function questionWords(): string[] {
  const types = Object.keys(TYPE_WORDS).flatMap((word) => [word, `${word}s`]);
  return [...GRAMMAR, ...FILLERS, ...CUE_WORDS, ...types];
}
