/** The environment, checked once at the start. Nothing else reads `process.env`. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { diff, parseEnv } from "node:util";
import { z } from "zod";

/** Every fault of the settings, one line each. No line holds a value, since a value may be a secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

export const MIN_SECRET_KEY_LENGTH = 32;
const MAX_LOCKOUT_MINUTES = 24 * 60;
const HIGHEST_MAX_LINEAGE_NODES = 100_000;
const MOST_OF_MODEL = { seconds: 300, tokens: 1_000_000, steps: 20 } as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** What a setting is for, what stands for an absent one, and what a fault's line says of its value. */
interface Words {
  about: string;
  default?: string;
  mustBe: string;
}

const words = z.registry<Words>();

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

/** A whole number from 1. */
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
const upTo = (highest: number) => wholeNumber.refine((value) => value <= highest);

const printable = (most: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`));

/** Without credentials, which would be shown in errors, and without what a path cannot follow. */
const endpoint = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text))
  .transform((text) => text.replace(/\/+$/, ""));

const origin = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.href === `${url.origin}/`)
  .transform((url) => url.origin);

const networks = z
  .string()
  .transform((text) => text.split(",").map((network) => network.trim()))
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])));

const schema = z.object({
  PORT: port.register(words, {
    about: "The port to listen on; 0 takes any free one.",
    default: "8080",
    mustBe: "a whole number from 0 to 65535",
  }),
  HOST: z.union([z.ipv4(), z.ipv6(), z.hostname()]).register(words, {
    about: "The address to listen on; 0.0.0.0 lets other machines in.",
    default: "127.0.0.1",
    mustBe: "an IP address or a host name",
  }),
  PUBLIC_URL: origin.optional().register(words, {
    about: "The origin by which clients reach the service, where it is not http://HOST:PORT.",
    mustBe: "an origin such as https://catalog.example.com",
  }),
  DATA_DIR: z
    .string()
    .transform((path) => resolve(path))
    .register(words, {
      about: "The folder that holds everything the service keeps; made where absent.",
      default: "./data",
      mustBe: "a path",
    }),
  SECRET_KEY: z
    .string()
    .min(MIN_SECRET_KEY_LENGTH)
    .optional()
    .register(words, {
      about: "Encrypts connectors' secrets and signs cursors. An embedded service makes its own in the data folder.",
      mustBe: `at least ${MIN_SECRET_KEY_LENGTH} characters long`,
    }),
  TRUSTED_PROXIES: networks.optional().register(words, {
    about: "Networks of the proxies whose X-Forwarded-For is believed: CIDRs, separated by commas.",
    mustBe: "CIDRs separated by commas, such as 10.0.0.0/8,fd00::/8",
  }),
  LOCKOUT_MINUTES: upTo(MAX_LOCKOUT_MINUTES).register(words, {
    about: "How long an address is shut out after 20 failed attempts to authenticate in a row.",
    default: "15",
    mustBe: `a whole number from 1 to ${MAX_LOCKOUT_MINUTES}`,
  }),
  GRAPH_URL: z.union([z.literal("sqlite:"), z.url({ protocol: /^(bolt|neo4j)(\+s)?$/ })]).register(words, {
    about: "Where assets and lineage are kept: sqlite: in the data folder, or Memgraph at bolt:// or neo4j://.",
    default: "sqlite:",
    mustBe: "sqlite: or a URL that begins with bolt://, bolt+s://, neo4j:// or neo4j+s://",
  }),
  METADATA_URL: z.literal("sqlite:").register(words, {
    about: "Where users, keys and syncs are kept: sqlite: in the data folder.",
    default: "sqlite:",
    mustBe: "sqlite: (postgres:// is not supported by this version yet)",
  }),
  LIMITS_URL: z.literal("memory:").register(words, {
    about: "Where requests are counted: memory: of the process.",
    default: "memory:",
    mustBe: "memory: (redis:// is not supported by this version yet)",
  }),
  MAX_LINEAGE_NODES: upTo(HIGHEST_MAX_LINEAGE_NODES).register(words, {
    about:
      "The most nodes that a lineage or impact result holds; past it the nearest or worst are kept and the result says so.",
    default: "10000",
    mustBe: `a whole number from 1 to ${HIGHEST_MAX_LINEAGE_NODES}`,
  }),
  AGENT_MODEL_URL: endpoint.optional().register(words, {
    about: "The OpenAI-compatible endpoint of a language model that helps the agent; none: it answers without one.",
    mustBe: "a URL such as http://127.0.0.1:11434/v1, without credentials or a query",
  }),
  AGENT_MODEL: printable(200).optional().register(words, {
    about: "The model's name there.",
    mustBe: "at most 200 characters without spaces",
  }),
  AGENT_MODEL_KEY: printable(1_000).optional().register(words, {
    about: "The key that the endpoint asks for, where it asks for one.",
    mustBe: "at most 1000 characters without spaces",
  }),
  AGENT_MODEL_SECONDS: upTo(MOST_OF_MODEL.seconds).register(words, {
    about: "How long a question waits for the model before it is answered without.",
    default: "20",
    mustBe: `a whole number from 1 to ${MOST_OF_MODEL.seconds}`,
  }),
  AGENT_MODEL_TOKENS: upTo(MOST_OF_MODEL.tokens).register(words, {
    about: "The most tokens that the model may read and write for one question.",
    default: "30000",
    mustBe: `a whole number from 1 to ${MOST_OF_MODEL.tokens}`,
  }),
  AGENT_MODEL_STEPS: upTo(MOST_OF_MODEL.steps).register(words, {
    about: "How often the model may be asked for one question; each time but the last it may look things up.",
    default: "6",
    mustBe: `a whole number from 1 to ${MOST_OF_MODEL.steps}`,
  }),
  SAMPLE: z.enum(["on", "off"]).register(words, {
    about: "Whether the first start loads the sample, a shop's warehouse: on or off.",
    default: "on",
    mustBe: "on or off",
  }),
  LOG_LEVEL: z.enum(LOG_LEVELS).register(words, {
    about: `The least severe lines to log: ${LOG_LEVELS.join(", ")}.`,
    default: "warn",
    mustBe: `one of ${LOG_LEVELS.join(", ")}`,
  }),
});

/** The language model that helps the agent. */
export interface ModelSettings {
  url: string;
  model: string;
  /** A secret; null where the endpoint asks for none. */
  key: string | null;
  timeoutMs: number;
  maxTokens: number;
  maxSteps: number;
}

export interface Settings {
  port: number;
  host: string;
  /** Null: the address that the server came to listen on. */
  publicUrl: string | null;
  /** Absolute. */
  dataDir: string;
  /** Null: the one in the data folder. */
  secretKey: string | null;
  /** CIDRs. */
  trustedProxies: readonly string[];
  lockoutMinutes: number;
  /** `sqlite:`, or a Bolt URL, which may hold credentials. */
  graphUrl: string;
  maxLineageNodes: number;
  /** Null: the agent answers without a model. */
  model: ModelSettings | null;
  sample: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = schema.keyof().options;

/** Each setting's name and words, in the order of `.env.example`. */
export const SETTINGS: readonly { name: string; words: Words }[] = Object.entries(schema.shape).map(
  ([name, value]) => ({ name, words: wordsOf(value) }),
);

/**
 * Settings from environment variables; an empty variable counts as absent.
 * @throws SettingsError with every fault there is
 */
export function parseSettings(env: Environment): Settings {
  const faults = Object.keys(env).flatMap(faultOfName);
  const given = Object.fromEntries(SETTINGS.map((it) => [it.name, env[it.name] || it.words.default]));
  const { success, data, error } = schema.safeParse(given);
  if (!success) {
    const wrong = new Set(error.issues.map((issue) => issue.path[0]));
    faults.push(...SETTINGS.filter((it) => wrong.has(it.name)).map((it) => `${it.name} must be ${it.words.mustBe}.`));
  }
  if (!given["SECRET_KEY"] && given["GRAPH_URL"] !== "sqlite:") {
    faults.push("SECRET_KEY must be set where GRAPH_URL is not sqlite:, so that every replica has the same.");
  }
  if (!given["AGENT_MODEL_URL"] !== !given["AGENT_MODEL"]) {
    faults.push("AGENT_MODEL_URL and AGENT_MODEL must be set together, or neither.");
  }
  if (!success || faults.length > 0) throw new SettingsError(faults);
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL ?? null,
    dataDir: data.DATA_DIR,
    secretKey: data.SECRET_KEY ?? null,
    trustedProxies: data.TRUSTED_PROXIES ?? [],
    lockoutMinutes: data.LOCKOUT_MINUTES,
    graphUrl: data.GRAPH_URL,
    maxLineageNodes: data.MAX_LINEAGE_NODES,
    model: toModelSettings(data),
    sample: data.SAMPLE === "on",
    logLevel: data.LOG_LEVEL,
  };
}

function toModelSettings(data: z.output<typeof schema>): ModelSettings | null {
  const { AGENT_MODEL_URL: url, AGENT_MODEL: model, AGENT_MODEL_KEY: key = null } = data;
  if (url === undefined || model === undefined) return null;
  const [timeoutMs, maxTokens] = [data.AGENT_MODEL_SECONDS * 1_000, data.AGENT_MODEL_TOKENS];
  return { url, model, key, timeoutMs, maxTokens, maxSteps: data.AGENT_MODEL_STEPS };
}

/**
 * Settings of this process: its environment, and below it the file `.env` of a folder, where there is one.
 * @throws SettingsError with every fault of both
 */
export function readSettings(env: Environment = process.env, folder: string = process.cwd()): Settings {
  const file = readEnvFile(join(folder, ".env"));
  const faults = Object.keys(file).flatMap((name) => {
    const known = NAMES.some((ours) => ours === name);
    return known || faultOfName(name).length > 0 ? [] : [`${name} in .env is no setting.`];
  });
  try {
    const settings = parseSettings({ ...file, ...env });
    if (faults.length === 0) return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    faults.push(...error.lines);
  }
  throw new SettingsError(faults);
}

function readEnvFile(path: string): Environment {
  if (!existsSync(path)) return {};
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    throw new SettingsError([`${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`]);
  }
}

function wordsOf(value: z.core.$ZodType): Words {
  const found = words.get(value);
  if (found === undefined) throw new TypeError("A setting has no words.");
  return found;
}

/**
 * An environment holds many names that are none of ours, so a name is at fault only when it begins with
 * `TRIBUTARY_`, or is one slip of the pen away from a setting whose name is long enough to be meant.
 */
function faultOfName(name: string): string[] {
  if (NAMES.some((ours) => ours === name)) return [];
  const meant = NAMES.find((ours) => letters(ours).length >= 7 && isOneSlipAway(letters(name), letters(ours)));
  if (meant !== undefined) return [`${name} is no setting; did you mean ${meant}?`];
  return name.startsWith("TRIBUTARY_") ? [`${name} is no setting.`] : [];
}

const letters = (name: string): string => name.toUpperCase().replaceAll("_", "");

/** Whether two words are equal but for one letter left out, added, changed or moved. */
function isOneSlipAway(one: string, other: string): boolean {
  const steps = diff(one, other).filter(([step]) => step !== 0).length;
  return steps <= 2 && Math.abs(one.length - other.length) <= 1;
}
