/** Reads the environment once at the start. No other file reads `process.env`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { z } from "zod";

import { faultOfName, isSetting } from "./misspelt.ts";
import { schema, SETTINGS } from "./schema.ts";

/** All faults of the settings, one line each. No line contains a value, because a value may be a secret. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** The settings as the service uses them. What each is for stands in `schema.ts`. Null: it is not set. */
export type Settings = ReturnType<typeof toSettings>;
/** The server that sends mails, and who they are from. */
export type MailSettings = NonNullable<Settings["mail"]>;
/** The language model that helps the agent. */
export type ModelSettings = NonNullable<Settings["model"]>;
/** The OpenID Connect provider for single sign-on. */
export type SsoSettings = NonNullable<Settings["sso"]>;
/** The collector that gets traces. */
export type TraceSettings = NonNullable<Settings["traces"]>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are all set, or none of them. */
const TOGETHER = [
  ["AGENT_MODEL_URL", "AGENT_MODEL"],
  ["SMTP_URL", "MAIL_FROM"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_DOMAINS"],
];
/** Settings that would do nothing without another one. */
const NEEDS = {
  AGENT_MODEL_KEY: "AGENT_MODEL_URL",
  SMTP_PASSWORD: "SMTP_URL",
  OIDC_ADMIN_GROUPS: "OIDC_ISSUER",
  OIDC_ENGINEER_GROUPS: "OIDC_ISSUER",
  GRAPH_USER: "GRAPH_URL",
  GRAPH_PASSWORD: "GRAPH_URL",
};

/**
 * @param set the settings that have another value than their default
 * @param wrong those whose values are wrong, which is told anyhow
 */
function faultsOfTogether(set: ReadonlySet<string>, wrong: ReadonlySet<string>): string[] {
  const parted = TOGETHER.filter(
    (names) => names.some((name) => set.has(name)) && !names.every((name) => set.has(name)),
  );
  const given = Object.entries(NEEDS).filter(([name]) => set.has(name) && !wrong.has(name));
  const alone = given.filter(([, needed]) => !set.has(needed));
  return [
    ...parted.map((names) => {
      const none = names.length === 2 ? "neither" : "none of them";
      return `${names.slice(0, -1).join(", ")} and ${names.at(-1)} must be set together, or ${none}.`;
    }),
    ...alone.map(
      ([name, needed]) => `${name} does nothing without ${needed}${needed === "GRAPH_URL" ? "=bolt://…" : ""}.`,
    ),
  ];
}

/**
 * Parses settings from environment variables. An empty variable counts as absent.
 * @throws SettingsError with all faults
 */
export function parseSettings(env: Environment): Settings {
  const faults = Object.entries(env).flatMap(([name, value = ""]) => faultOfName(name, value));
  const given = Object.fromEntries(SETTINGS.map((it) => [it.name, env[it.name] || it.words.default]));
  const { success, data, error } = schema.safeParse(given);
  const wrong = new Set(error?.issues.map((issue) => String(issue.path[0])));
  faults.push(...SETTINGS.filter((it) => wrong.has(it.name)).map((it) => `${it.name} must be ${it.words.mustBe}.`));
  const isSet = ({ name, words }: (typeof SETTINGS)[number]): boolean =>
    Boolean(given[name]) && given[name] !== words.default;
  faults.push(...faultsOfTogether(new Set(SETTINGS.filter(isSet).map(({ name }) => name)), wrong));
  if (given["SERVER_WORKS"] === "off" && given["METADATA_URL"] === "sqlite:") {
    faults.push("SERVER_WORKS=off needs METADATA_URL=postgres://…: a worker cannot share a store in the data folder.");
  }
  if (!success || faults.length > 0) throw new SettingsError(faults);
  return toSettings(data);
}

type Given = z.output<typeof schema>;

function toSettings(data: Given) {
  return {
    port: data.PORT,
    host: data.HOST,
    metrics: data.METRICS_PORT === undefined ? null : { host: data.METRICS_HOST, port: data.METRICS_PORT },
    traces: toTraceSettings(data),
    publicUrl: data.PUBLIC_URL ?? null,
    dataDir: data.DATA_DIR,
    secretKey: data.SECRET_KEY ?? null,
    trustedProxies: data.TRUSTED_PROXIES ?? [],
    lockoutMinutes: data.LOCKOUT_MINUTES,
    sessionIdleHours: data.SESSION_IDLE_HOURS,
    sessionDays: data.SESSION_DAYS,
    sso: toSsoSettings(data),
    maxConnectionsPerAddress: data.MAX_CONNECTIONS_PER_ADDRESS,
    graphUrl: data.GRAPH_URL,
    graphUser: data.GRAPH_USER ?? null,
    graphPassword: data.GRAPH_PASSWORD ?? null,
    valkey: data.LIMITS_URL === "memory:" ? null : data.LIMITS_URL,
    historyDays: data.HISTORY_DAYS,
    lineageMemoryMiB: data.LINEAGE_MEMORY_MB,
    metadataUrl: data.METADATA_URL,
    serverWorks: data.SERVER_WORKS === "on",
    maxLineageNodes: data.MAX_LINEAGE_NODES,
    maxAnswerBytes: data.MAX_ANSWER_MB * 1024 * 1024,
    requestSeconds: data.REQUEST_SECONDS,
    privateSources: data.ALLOW_PRIVATE_SOURCES ?? [],
    insecureHosts: data.INSECURE_HOSTS ?? [],
    connectorFolders: data.CONNECTOR_FOLDERS ?? null,
    maxArtifactBytes: data.MAX_ARTIFACT_MB * 1024 ** 2,
    mail: toMailSettings(data),
    model: toModelSettings(data),
    server: { url: data.TRIBUTARY_URL ?? null, token: data.TRIBUTARY_TOKEN ?? null },
    sample: data.SAMPLE === "on",
    logLevel: data.LOG_LEVEL,
  };
}

function toTraceSettings(data: Given) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = data;
  if (url === undefined) return null;
  return { url, headers, serviceName: data.OTEL_SERVICE_NAME, ratio: data.OTEL_TRACES_SAMPLER_ARG };
}

function toMailSettings(data: Given) {
  const { SMTP_URL: server, MAIL_FROM: from, SMTP_PASSWORD: password } = data;
  return server === undefined || from === undefined ? null : { ...server, password: password ?? server.password, from };
}

function toModelSettings(data: Given) {
  const { AGENT_MODEL_URL: url, AGENT_MODEL: model, AGENT_MODEL_KEY: key = null } = data;
  if (url === undefined || model === undefined) return null;
  const [timeoutMs, maxTokens] = [data.AGENT_MODEL_SECONDS * 1_000, data.AGENT_MODEL_TOKENS];
  return { url, model, key, timeoutMs, maxTokens };
}

function toSsoSettings(data: Given) {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_DOMAINS: domains,
  } = data;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || domains === undefined)
    return null;
  return {
    issuer,
    clientId,
    clientSecret,
    domains,
    name: data.OIDC_NAME,
    workspace: data.OIDC_WORKSPACE,
    groupsClaim: data.OIDC_GROUPS_CLAIM,
    adminGroups: data.OIDC_ADMIN_GROUPS ?? [],
    engineerGroups: data.OIDC_ENGINEER_GROUPS ?? [],
  };
}

/**
 * Reads the settings of this process: its environment, then the file `.env` of a folder for settings that are absent.
 * For a secret called `NAME`, `NAME_FILE` may name a file that contains it.
 * @throws SettingsError with all faults of both
 */
export function readSettings(env: Environment = process.env, folder: string = process.cwd()): Settings {
  const file = readEnvFile(join(folder, ".env"));
  const faults = Object.entries(file).flatMap(([name, value = ""]) => {
    return isSetting(name) || faultOfName(name, value).length > 0 ? [] : [`${name} in .env is not a setting.`];
  });
  const given = { ...file, ...env };
  const secrets = readSecretFiles(given);
  faults.push(...secrets.faults);
  try {
    const settings = parseSettings({ ...given, ...secrets.values });
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

/** No secret is longer than this. A longer file is not a secret. */
const MAX_CHARACTERS = 10_000;

/**
 * Reads the file that `NAME_FILE` names, for each secret called `NAME`. The line break at its end does not count. An
 * empty variable counts as absent.
 * @returns the secrets by their names, and all faults, which contain no secret
 */
function readSecretFiles(env: Readonly<Record<string, string | undefined>>): {
  values: Record<string, string>;
  faults: string[];
} {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const { name, words } of SETTINGS) {
    const path = words.isSecret && env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) {
      faults.push(`${name} and ${name}_FILE must not both be set.`);
      continue;
    }
    try {
      const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
      if (value === "" || value.length > MAX_CHARACTERS) throw new Error("it is empty or too long");
      values[name] = value;
    } catch (error) {
      // Not the message: it has the path, and somebody may have put the secret itself there.
      faults.push(`${name}_FILE cannot be read (${reasonOf(error)}).`);
    }
  }
  return { values, faults };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
