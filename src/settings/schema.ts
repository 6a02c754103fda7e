/** All settings: their names, descriptions, defaults and permitted values. */
import { resolve } from "node:path";
import { z } from "zod";

import {
  endpoint,
  folders,
  host,
  hosts,
  networks,
  origin,
  port,
  postgres,
  printable,
  upTo,
  valkeyAddress,
  type Words,
  words,
  wordsOf,
} from "./values.ts";
import { login } from "./login.ts";
import { mail } from "./mail.ts";
import { watching } from "./watching.ts";

export const MIN_SECRET_KEY_LENGTH = 32;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const schema = z.object({
  PORT: port.register(words, { about: "The port to listen on; 0 takes any free one.", default: "8080" }),
  HOST: host.register(words, {
    about: "The address to listen on; with 0.0.0.0, other machines can connect.",
    default: "127.0.0.1",
    mustBe: "an IP address or a host name",
  }),
  PUBLIC_URL: origin.optional().register(words, {
    about: "The origin at which clients reach the service, if it is not http://HOST:PORT.",
    mustBe: "an origin such as https://catalog.example.com",
  }),
  DATA_DIR: z
    .string()
    .transform((path) => resolve(path))
    .register(words, {
      about: "The folder for everything that the service stores; created if it does not exist.",
      default: "./data",
      mustBe: "a path",
    }),
  SECRET_KEY: z
    .string()
    .min(MIN_SECRET_KEY_LENGTH)
    .optional()
    .register(words, {
      about:
        "Encrypts connectors' secrets and signs cursors; the same for all processes that share a metadata store. Without it, the first start writes a key into the data folder.",
      mustBe: `at least ${MIN_SECRET_KEY_LENGTH} characters long`,
      isSecret: true,
    }),
  ...watching,
  TRUSTED_PROXIES: networks.optional().register(words, {
    about: "Networks of your proxies, whose X-Forwarded-For is used: CIDRs, separated by commas.",
    mustBe: "CIDRs separated by commas, such as 10.0.0.0/8,fd00::/8",
  }),
  LOCKOUT_MINUTES: upTo(24 * 60).register(words, {
    about: "How long an address is locked out after 20 failed attempts to authenticate in a row.",
    default: "15",
  }),
  ...login,
  MAX_CONNECTIONS_PER_ADDRESS: upTo(100_000).register(words, {
    about: "How many connections one address may have at the same time; TRUSTED_PROXIES have no limit.",
    default: "256",
  }),
  GRAPH_URL: z.union([z.literal("sqlite:"), z.url({ protocol: /^(bolt|neo4j)(\+s|\+ssc)?$/ })]).register(words, {
    about: "Where assets and lineage are stored: sqlite: in the data folder, or Memgraph at bolt:// or neo4j://.",
    default: "sqlite:",
    mustBe:
      "sqlite: or a URL that begins with bolt:// or neo4j://; with +s before the colon for TLS, with +ssc if the certificate is not checked",
    isSecret: true,
  }),
  GRAPH_USER: printable(1_000)
    .optional()
    .register(words, { about: "The user at Memgraph, if it has users; comes before the one in GRAPH_URL." }),
  GRAPH_PASSWORD: printable(1_000).optional().register(words, { about: "The password of that user.", isSecret: true }),
  HISTORY_DAYS: upTo(36_500).register(words, {
    about:
      "For how many days the catalog can be asked how it was; older history is removed. Certification trails are kept for ever.",
    default: "400",
  }),
  LINEAGE_MEMORY_MB: upTo(65_536).register(words, {
    about:
      "How many MiB of memory each server may use for lineage, which makes walks and impacts fast; lineage that needs more is always read from the graph store.",
    default: "256",
  }),
  METADATA_URL: z.union([z.literal("sqlite:"), postgres]).register(words, {
    about:
      "Where users, keys and syncs are stored: sqlite: in the data folder, or PostgreSQL, which several processes can share; see docs/operations.md.",
    default: "sqlite:",
    mustBe:
      "sqlite: or a URL such as postgres://tributary:PASSWORD@db.example.com:5432/tributary?sslmode=verify-full, whose only parameters are sslmode (disable, require or verify-full) and sslrootcert (a path)",
    isSecret: true,
  }),
  SERVER_WORKS: z.enum(["on", "off"]).register(words, {
    about:
      "Whether the server also runs syncs, follows schedules and writes received events to the graph: on, or off if tributary worker does, which needs PostgreSQL.",
    default: "on",
    mustBe: "on or off",
  }),
  LIMITS_URL: z.union([z.literal("memory:"), valkeyAddress]).register(words, {
    about:
      "Where requests are counted: memory: in the memory of each server, or Valkey at redis:// or rediss:// (TLS).",
    default: "memory:",
    mustBe: "memory: or a URL such as redis://user:password@valkey:6379/0 (rediss:// for TLS), without a query",
    isSecret: true,
  }),
  MAX_LINEAGE_NODES: upTo(100_000).register(words, {
    about:
      "How many nodes a lineage or impact result has; if there are more, it has only the nearest or worst and says so.",
    default: "10000",
  }),
  MAX_ANSWER_MB: upTo(256).register(words, {
    about: "The largest answer, in MiB of JSON; a request for more is refused.",
    default: "32",
  }),
  REQUEST_SECONDS: upTo(3_600).register(words, {
    about: "How long a request may take, including its body and its waiting time; then it is cancelled.",
    default: "60",
  }),
  ALLOW_PRIVATE_SOURCES: networks.optional().register(words, {
    about:
      "Private networks that connectors may read from and notices be sent to, besides all public addresses: CIDRs, separated by commas.",
    mustBe: "CIDRs separated by commas, such as 10.20.0.0/16,fd00::/8",
  }),
  INSECURE_HOSTS: hosts.optional().register(words, {
    about:
      "Hosts that connectors may send their secrets to, and notices be sent to, without encryption, besides this machine: names or addresses, separated by commas.",
    mustBe: "host names or IP addresses separated by commas, such as artifacts.internal,10.20.0.7",
  }),
  CONNECTOR_FOLDERS: folders.optional().register(words, {
    about:
      "The only folders on this machine that connectors may read from: absolute paths, separated by commas; if not set, what the command line beside the data folder named for a connector.",
    mustBe: "absolute paths separated by commas, such as /srv/dbt,/artifacts",
  }),
  MAX_ARTIFACT_MB: upTo(100_000).register(words, {
    about: "The largest artifact that a sync reads, in MiB without compression.",
    default: "512",
  }),
  ...mail,
  AGENT_MODEL_URL: endpoint.optional().register(words, {
    about:
      "The OpenAI-compatible endpoint of a language model that chooses the agent's plans; without one, the agent reads by itself.",
    mustBe: "a URL such as http://127.0.0.1:11434/v1, without credentials or a query",
  }),
  AGENT_MODEL: printable(200).optional().register(words, { about: "The model's name there." }),
  AGENT_MODEL_KEY: printable(1_000)
    .optional()
    .register(words, { about: "The key for that endpoint, if it needs one.", isSecret: true }),
  AGENT_MODEL_SECONDS: upTo(300).register(words, {
    about: "How long a question waits for the model; then the agent answers by itself.",
    default: "20",
  }),
  AGENT_MODEL_TOKENS: upTo(1_000_000).register(words, {
    about: "How many tokens the model may read and write for one question.",
    default: "30000",
  }),
  TRIBUTARY_URL: endpoint.optional().register(words, {
    about: "For the command line: the service that commands use instead of the data folder.",
    mustBe: "a URL such as https://tributary.example.com, without credentials or a query",
  }),
  TRIBUTARY_TOKEN: printable(1_000)
    .optional()
    .register(words, { about: "For the command line: the token for that service.", isSecret: true }),
  SAMPLE: z.enum(["on", "off"]).register(words, {
    about:
      "Whether the first start loads the sample project, a shop's warehouse, into a workspace without sources: on or off.",
    default: "on",
    mustBe: "on or off",
  }),
  LOG_LEVEL: z.enum(LOG_LEVELS).register(words, {
    about: `The lowest level that is logged: ${LOG_LEVELS.join(", ")}.`,
    default: "warn",
    mustBe: `one of ${LOG_LEVELS.join(", ")}`,
  }),
});

/** Each setting's name and words, in the order of `.env.example`. */
export const SETTINGS: readonly { name: string; words: Words }[] = Object.entries(schema.shape).map(
  ([name, value]) => ({ name, words: wordsOf(value) }),
);
