/** Compares data types by the names that warehouses give them: does every value of one type fit into the other? */

/**
 * What a type can hold. A number of digits or a length is Infinity if it has no limit.
 * integer: bits below and above zero; a signed one of 32 bits has 31 and 31, an unsigned one 0 and 32.
 * decimal: digits before and after the point.
 * float: bits of the mantissa.
 * text, binary: the length; `padded` text is always filled up to it.
 * timestamp, time: digits of a second; a `zoned` one is the same moment in every time zone.
 */
type Capacity =
  | { family: "integer"; below: number; above: number }
  | { family: "decimal"; whole: number; scale: number }
  | { family: "float"; mantissa: number }
  | { family: "text"; length: number; padded: boolean }
  | { family: "binary"; length: number }
  | { family: "timestamp"; zoned: boolean; precision: number }
  | { family: "time"; zoned: boolean; precision: number }
  | { family: "date" }
  | { family: "boolean" }
  /** A type that is equal only to itself. */
  | { family: "other"; name: string };

/** The least and the most that a type may hold. They differ if the name alone does not decide it. */
interface DataType {
  least: Capacity;
  most: Capacity;
}

type Word = (parameters: readonly number[]) => DataType | null;

function exactly(capacity: Capacity): DataType {
  return { least: capacity, most: capacity };
}

function signed(bits: number): Word {
  // The number in brackets after an integer type is only its display width.
  return () => exactly({ family: "integer", below: bits - 1, above: bits - 1 });
}

function unsigned(bits: number): Word {
  return () => exactly({ family: "integer", below: 0, above: bits });
}

/**
 * @param bare what the type holds if no digits are given, as `[precision, scale]`; null if that depends on the
 * warehouse
 */
function decimal(bare: readonly [number, number] | null): Word {
  return ([precision, scale, ...more]) => {
    if (more.length > 0) return null;
    if (precision !== undefined) return exactly(digits(precision, scale ?? 0));
    if (bare !== null) return exactly(digits(...bare));
    return { least: digits(10, 0), most: digits(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) };
  };
}

function digits(precision: number, scale: number): Capacity {
  return { family: "decimal", whole: precision === Number.POSITIVE_INFINITY ? precision : precision - scale, scale };
}

const SINGLE: Capacity = { family: "float", mantissa: 24 };
const DOUBLE: Capacity = { family: "float", mantissa: 53 };

/** @param bare what the type holds if no precision in bits is given */
function float(bare: DataType): Word {
  return ([bits, ...more]) => {
    if (more.length > 0) return null;
    if (bits === undefined) return bare;
    return exactly(bits <= 24 ? SINGLE : DOUBLE);
  };
}

function plain(capacity: Capacity): Word {
  return (parameters) => (parameters.length === 0 ? exactly(capacity) : null);
}

function sized(toCapacity: (size: number) => Capacity, least: number, most = least): Word {
  return ([size, ...more]) => {
    if (more.length > 0) return null;
    return size === undefined ? { least: toCapacity(least), most: toCapacity(most) } : exactly(toCapacity(size));
  };
}

const text = sized((length) => ({ family: "text", length, padded: false }), Number.POSITIVE_INFINITY);
const character = sized((length) => ({ family: "text", length, padded: true }), 1);
const binary = sized((length) => ({ family: "binary", length }), Number.POSITIVE_INFINITY);

/** If no precision is given, seconds have no decimal digits in some warehouses and nine in others. */
function timestamp(zoned: boolean, least = 0, most = 9): Word {
  return sized((precision) => ({ family: "timestamp", zoned, precision }), least, most);
}

function time(zoned: boolean): Word {
  return sized((precision) => ({ family: "time", zoned, precision }), 0, 9);
}

/** What a name means on every platform that is not listed below. */
const WORDS: Record<string, Word> = {
  ...named(["tinyint", "byteint", "byte"], signed(8)),
  ...named(["smallint", "int2", "int16", "short", "smallserial"], signed(16)),
  ...named(["mediumint"], signed(24)),
  ...named(["int", "integer", "int4", "int32", "serial"], signed(32)),
  ...named(["bigint", "int8", "int64", "long", "bigserial"], signed(64)),
  ...named(["hugeint", "int128"], signed(128)),
  ...named(["utinyint", "uint8", "tinyint unsigned"], unsigned(8)),
  ...named(["usmallint", "uint16", "smallint unsigned"], unsigned(16)),
  ...named(["mediumint unsigned"], unsigned(24)),
  ...named(["uinteger", "uint32", "int unsigned", "integer unsigned"], unsigned(32)),
  ...named(["ubigint", "uint64", "bigint unsigned"], unsigned(64)),
  ...named(["uhugeint", "uint128"], unsigned(128)),
  ...named(["numeric", "decimal", "dec", "number"], decimal(null)),
  ...named(["bignumeric", "bigdecimal"], decimal([76, 38])),
  ...named(["real", "float4", "float32"], plain(SINGLE)),
  ...named(["float"], float({ least: SINGLE, most: DOUBLE })),
  ...named(["double", "double precision", "float8", "float64"], plain(DOUBLE)),
  ...named(["text", "string", "varchar", "character varying", "char varying"], text),
  ...named(["char", "character"], character),
  ...named(["binary varying", "varbinary", "bytea", "bytes", "blob"], binary),
  ...named(["date"], plain({ family: "date" })),
  ...named(["timestamp", "timestamp without time zone", "timestamp_ntz", "timestampntz", "datetime"], timestamp(false)),
  ...named(["timestamptz", "timestamp with time zone", "timestamp_tz"], timestamp(true)),
  ...named(["time", "time without time zone"], time(false)),
  ...named(["timetz", "time with time zone"], time(true)),
  ...named(["boolean", "bool"], plain({ family: "boolean" })),
};

const UNBOUNDED = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Names that mean something else on one platform, or that are more exact there. */
const PLATFORM_WORDS: Record<string, Record<string, Word>> = {
  postgres: {
    ...decimals(UNBOUNDED),
    float: float(exactly(DOUBLE)),
    ...timestamps(6),
  },
  redshift: { ...decimals([18, 0]), float: float(exactly(DOUBLE)), ...timestamps(6) },
  bigquery: {
    ...decimals([38, 9]),
    ...named(["tinyint", "byteint", "smallint", "int", "integer", "bigint"], signed(64)),
    datetime: timestamp(false, 6, 6),
    timestamp: timestamp(true, 6, 6),
  },
  // Snowflake's catalog leaves out the digits of a number, so a bare number type may hold any of them.
  snowflake: {
    ...named(["tinyint", "byteint", "smallint", "int", "integer", "bigint"], decimal([38, 0])),
    ...named(["real", "float4", "float", "double", "double precision", "float8"], plain(DOUBLE)),
    ...timestamps(9),
  },
  databricks: { ...decimals([10, 0]), float: plain(SINGLE), timestamp: timestamp(true, 6, 6) },
  duckdb: { ...decimals([18, 3]), float: plain(SINGLE), ...timestamps(6) },
  mysql: { ...decimals([10, 0]), float: float(exactly(SINGLE)), real: plain(DOUBLE), datetime: timestamp(false, 0, 0) },
};

function named(names: readonly string[], word: Word): Record<string, Word> {
  return Object.fromEntries(names.map((name) => [name, word]));
}

function decimals(bare: readonly [number, number]): Record<string, Word> {
  return named(["numeric", "decimal", "dec", "number"], decimal(bare));
}

function timestamps(precision: number): Record<string, Word> {
  return {
    ...named(
      ["timestamp", "timestamp without time zone", "timestamp_ntz", "datetime"],
      timestamp(false, precision, precision),
    ),
    ...named(["timestamptz", "timestamp with time zone", "timestamp_tz"], timestamp(true, precision, precision)),
  };
}

/** `name`, `name(1)`, `name(1, 2)`, `name(1) more words`; case and spaces do not matter. */
const FORM = /^([a-z][a-z0-9_ ]*?) ?(?:\( ?(\d+|max) ?(?:, ?(-?\d+) ?)?\))?( [a-z ]+)?$/;

function parseType(written: string, platform: string): DataType | null {
  const name = written.trim().toLowerCase().replace(/\s+/g, " ");
  if (name === "") return null;
  const [, word = "", first, second, rest = ""] = FORM.exec(name) ?? [];
  const parameters = [first, second]
    .filter((parameter) => parameter !== undefined)
    .map((parameter) => (parameter === "max" ? Number.POSITIVE_INFINITY : Number(parameter)));
  const find = lookUp(`${word}${rest}`, platform);
  return find?.(parameters) ?? exactly({ family: "other", name: name.replace(/ ?([(),<>:[\]]) ?/g, "$1") });
}

function lookUp(word: string, platform: string): Word | undefined {
  const own = Object.hasOwn(PLATFORM_WORDS, platform) ? PLATFORM_WORDS[platform] : undefined;
  if (own !== undefined && Object.hasOwn(own, word)) return own[word];
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** How many decimal digits the largest number with so many bits has. */
function digitsOf(bits: number): number {
  return Math.floor(bits * Math.log10(2)) + 1;
}

/** Whether every value of `from` is also a value of `to` with the same meaning. */
function fits(from: Capacity, to: Capacity): boolean {
  if (from.family === "integer") {
    const bits = Math.max(from.below, from.above);
    if (to.family === "integer") return from.below <= to.below && from.above <= to.above;
    if (to.family === "decimal") return to.scale >= 0 && digitsOf(bits) <= to.whole;
    return to.family === "float" && bits <= to.mantissa;
  }
  if (from.family === "decimal") return to.family === "decimal" && from.whole <= to.whole && from.scale <= to.scale;
  if (from.family === "float") return to.family === "float" && from.mantissa <= to.mantissa;
  if (from.family === "text") {
    return to.family === "text" && from.length <= to.length && (from.padded || !to.padded);
  }
  if (from.family === "binary") return to.family === "binary" && from.length <= to.length;
  if (from.family === "date") return to.family === "date" || (to.family === "timestamp" && !to.zoned);
  if (from.family === "timestamp" || from.family === "time") {
    return to.family === from.family && from.zoned === to.zoned && from.precision <= to.precision;
  }
  if (from.family === "boolean") return to.family === "boolean";
  return to.family === "other" && from.name === to.name;
}

/**
 * Compares two types as a warehouse names them.
 * @param platform the warehouse's adapter, such as `postgres`, because some names differ between warehouses; if it is
 * missing, such a name is taken with its least favourable meaning
 * @returns `same` for two names of one type; `widens` if every value fits without a cast; `narrows` if a value may not
 * fit, if a cast is needed, if a type is blank, or if a type that is not known here changes its name
 */
export function compareTypes(from: string, to: string, platform = ""): "same" | "widens" | "narrows" {
  const before = parseType(from, platform);
  const after = parseType(to, platform);
  if (before === null || after === null) return "narrows";
  if (isEqual(before.least, after.least) && isEqual(before.most, after.most)) return "same";
  return fits(before.most, after.least) ? "widens" : "narrows";
}

/** Whether each type fits into the other. */
function isEqual(a: Capacity, b: Capacity): boolean {
  return fits(a, b) && fits(b, a);
}
