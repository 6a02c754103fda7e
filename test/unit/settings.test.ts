import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { SettingsError, parseSettings, readSettings } from "../../src/settings/settings.ts";
import { SETTINGS } from "../../src/settings/schema.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

/** The lines of the error that reading the settings throws. */
function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
  throw new Error("The settings were taken.");
}

describe("parseSettings", () => {
  it("parseSettings returns the embedded service for an empty environment", () => {
    expect(parseSettings({ PATH: "/bin", HOSTNAME: "here", LOGNAME: "me" })).toEqual({
      port: 8080,
      host: "127.0.0.1",
      metrics: null,
      traces: null,
      publicUrl: null,
      dataDir: join(process.cwd(), "data"),
      secretKey: null,
      trustedProxies: [],
      lockoutMinutes: 15,
      sessionIdleHours: 12,
      sessionDays: 14,
      historyDays: 400,
      lineageMemoryMiB: 256,
      sso: null,
      maxConnectionsPerAddress: 256,
      graphUrl: "sqlite:",
      graphUser: null,
      graphPassword: null,
      valkey: null,
      metadataUrl: "sqlite:",
      serverWorks: true,
      maxLineageNodes: 10_000,
      maxAnswerBytes: 32 * 1024 * 1024,
      requestSeconds: 60,
      privateSources: [],
      insecureHosts: [],
      connectorFolders: null,
      maxArtifactBytes: 512 * 1024 ** 2,
      mail: null,
      model: null,
      server: { url: null, token: null },
      sample: true,
      logLevel: "warn",
    });
  });

  it("parseSettings treats an empty value as absent for every setting", () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, ""]));
    expect(parseSettings(empty)).toEqual(parseSettings({}));
  });

  it("parseSettings reads every setting", () => {
    expect(
      parseSettings({
        PORT: "0",
        HOST: "::1",
        PUBLIC_URL: "https://catalog.example.com/",
        DATA_DIR: "/srv/tributary",
        SECRET_KEY: SECRET,
        METRICS_PORT: "9464",
        METRICS_HOST: "0.0.0.0",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
        OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=a=b, x-team=data, Authorization=Basic%20YWJj",
        OTEL_SERVICE_NAME: "catalog",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8",
        LOCKOUT_MINUTES: "1440",
        SESSION_IDLE_HOURS: "1",
        SESSION_DAYS: "30",
        HISTORY_DAYS: "90",
        LINEAGE_MEMORY_MB: "1024",
        OIDC_ISSUER: "https://example.okta.com/oauth2/default",
        OIDC_CLIENT_ID: "tributary",
        OIDC_CLIENT_SECRET: "a-secret-of-the-provider",
        OIDC_DOMAINS: "Example.com, example.org",
        OIDC_NAME: "Okta",
        OIDC_WORKSPACE: "team",
        OIDC_GROUPS_CLAIM: "roles",
        OIDC_ADMIN_GROUPS: "data admins,owners",
        OIDC_ENGINEER_GROUPS: "engineers",
        MAX_CONNECTIONS_PER_ADDRESS: "1000",
        GRAPH_URL: "neo4j+s://user:pass@graph:7687",
        GRAPH_USER: "ada",
        GRAPH_PASSWORD: "s3cret",
        LIMITS_URL: "rediss://me:p%40ss@[::1]:6380/2",
        METADATA_URL: "postgres://me:hunter%2F2@db.internal:6432/x?sslmode=require&sslrootcert=/ca.pem",
        SERVER_WORKS: "off",
        MAX_LINEAGE_NODES: "500",
        MAX_ANSWER_MB: "8",
        REQUEST_SECONDS: "20",
        ALLOW_PRIVATE_SOURCES: "10.20.0.0/16,::1/128",
        INSECURE_HOSTS: "artifacts.internal, 10.20.0.7,fd00::7",
        CONNECTOR_FOLDERS: "/srv/dbt, /artifacts",
        MAX_ARTIFACT_MB: "64",
        SMTP_URL: "smtps://me:old@smtp.example.com",
        SMTP_PASSWORD: "new",
        MAIL_FROM: "Tributary <tributary@example.com>",
        AGENT_MODEL_URL: "http://127.0.0.1:11434/v1/",
        AGENT_MODEL: "llama3.1:8b",
        AGENT_MODEL_KEY: "sk-secret",
        AGENT_MODEL_SECONDS: "5",
        AGENT_MODEL_TOKENS: "8000",
        TRIBUTARY_URL: "https://catalog.example.com/tributary/",
        TRIBUTARY_TOKEN: "svc_live_secret",
        SAMPLE: "off",
        LOG_LEVEL: "debug",
      }),
    ).toEqual({
      port: 0,
      host: "::1",
      metrics: { host: "0.0.0.0", port: 9_464 },
      traces: {
        url: "http://collector:4318",
        headers: { "x-api-key": "a=b", "x-team": "data", Authorization: "Basic YWJj" },
        serviceName: "catalog",
        ratio: 0.25,
      },
      publicUrl: "https://catalog.example.com",
      dataDir: "/srv/tributary",
      secretKey: SECRET,
      trustedProxies: ["10.0.0.0/8", "fd00::/8"],
      lockoutMinutes: 1_440,
      sessionIdleHours: 1,
      sessionDays: 30,
      historyDays: 90,
      lineageMemoryMiB: 1_024,
      sso: {
        issuer: "https://example.okta.com/oauth2/default",
        clientId: "tributary",
        clientSecret: "a-secret-of-the-provider",
        domains: ["example.com", "example.org"],
        name: "Okta",
        workspace: "team",
        groupsClaim: "roles",
        adminGroups: ["data admins", "owners"],
        engineerGroups: ["engineers"],
      },
      maxConnectionsPerAddress: 1_000,
      graphUrl: "neo4j+s://user:pass@graph:7687",
      graphUser: "ada",
      graphPassword: "s3cret",
      valkey: { host: "::1", port: 6_380, username: "me", password: "p@ss", database: 2, tls: true },
      metadataUrl: "postgres://me:hunter%2F2@db.internal:6432/x?sslmode=require&sslrootcert=/ca.pem",
      serverWorks: false,
      maxLineageNodes: 500,
      maxAnswerBytes: 8 * 1024 * 1024,
      requestSeconds: 20,
      privateSources: ["10.20.0.0/16", "::1/128"],
      insecureHosts: ["artifacts.internal", "10.20.0.7", "fd00::7"],
      connectorFolders: ["/srv/dbt", "/artifacts"],
      maxArtifactBytes: 64 * 1024 ** 2,
      mail: {
        host: "smtp.example.com",
        port: 465,
        isSecure: true,
        user: "me",
        password: "new",
        from: "Tributary <tributary@example.com>",
      },
      model: {
        url: "http://127.0.0.1:11434/v1",
        model: "llama3.1:8b",
        key: "sk-secret",
        timeoutMs: 5_000,
        maxTokens: 8_000,
      },
      server: { url: "https://catalog.example.com/tributary", token: "svc_live_secret" },
      sample: false,
      logLevel: "debug",
    });
  });

  it("parseSettings treats an empty secret key and an empty port as absent", () => {
    expect(parseSettings({ SECRET_KEY: "", PORT: "" })).toMatchObject({ secretKey: null, port: 8080 });
  });

  it("parseSettings reports every fault at once and repeats no value", () => {
    const faults = faultsOf(() =>
      parseSettings({
        PORT: "99999",
        SECRET_KEY: "hunter2",
        METADATA_URL: "postgres://me:hunter2@db",
        DATADIR: "/x",
      }),
    );
    expect(faults).toEqual([
      "DATADIR is not a setting; did you mean DATA_DIR?",
      "PORT must be a whole number from 0 to 65535.",
      "SECRET_KEY must be at least 32 characters long.",
      expect.stringMatching(/^METADATA_URL must be sqlite: or a URL such as postgres:/),
    ]);
  });

  it.each([
    ["PORT", "80a"],
    ["METADATA_URL", "postgres://db/x"],
    ["METADATA_URL", "postgres://me:a%zz@db/x"],
    ["METADATA_URL", "postgres://me@db/x/y"],
    ["METADATA_URL", "postgres://me@db/x?sslmode=prefer"],
    ["METADATA_URL", "postgres://me@db/x?sslmode=require&options=-c%20x"],
    ["METADATA_URL", "mysql://me@db/x"],
    ["PORT", "-1"],
    ["HOST", "not a host"],
    ["PUBLIC_URL", "https://example.com/catalog"],
    ["PUBLIC_URL", "ftp://example.com"],
    ["METRICS_PORT", "65536"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=%zz"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=a%0Ab"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["TRUSTED_PROXIES", "10.0.0.1/33"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,,"],
    ["LOCKOUT_MINUTES", "0"],
    ["LOCKOUT_MINUTES", "1441"],
    ["SESSION_IDLE_HOURS", "721"],
    ["SESSION_DAYS", "0"],
    ["HISTORY_DAYS", "0"],
    ["OIDC_ADMIN_GROUPS", "a,,b"],
    ["MAX_CONNECTIONS_PER_ADDRESS", "0"],
    ["MAX_CONNECTIONS_PER_ADDRESS", "100001"],
    ["MAX_LINEAGE_NODES", "0"],
    ["MAX_LINEAGE_NODES", "100001"],
    ["MAX_ANSWER_MB", "257"],
    ["REQUEST_SECONDS", "0"],
    ["REQUEST_SECONDS", "3601"],
    ["ALLOW_PRIVATE_SOURCES", "localhost"],
    ["INSECURE_HOSTS", "http://artifacts.internal"],
    ["CONNECTOR_FOLDERS", "target"],
    ["CONNECTOR_FOLDERS", "/srv/dbt,,/artifacts"],
    ["MAX_ARTIFACT_MB", "0"],
    ["MAX_ARTIFACT_MB", "100001"],
    ["GRAPH_URL", "http://graph:7687"],
    ["GRAPH_URL", "sqlite:/elsewhere"],
    ["LIMITS_URL", "redis:"],
    ["LIMITS_URL", "redis://"],
    ["LIMITS_URL", "redis://user:password@"],
    ["LIMITS_URL", "valkey:6379"],
    ["LIMITS_URL", "http://valkey:6379"],
    ["LIMITS_URL", "redis://valkey:99999"],
    ["LIMITS_URL", "redis://valkey:0"],
    ["LIMITS_URL", "redis://valkey:6379/zero"],
    ["LIMITS_URL", "redis://valkey:6379/0/1"],
    ["LIMITS_URL", "redis://valkey:6379?enableOfflineQueue=true"],
    ["LIMITS_URL", "redis://valkey:6379/0#1"],
    ["LIMITS_URL", "redis://user:100%@valkey"],
    ["LIMITS_URL", "redis://user:a secret@valkey"],
    ["LIMITS_URL", "redis://val key"],
    ["LIMITS_URL", "memory"],
    ["AGENT_MODEL_KEY", "two words"],
    ["AGENT_MODEL_SECONDS", "0"],
    ["AGENT_MODEL_SECONDS", "301"],
    ["AGENT_MODEL_TOKENS", "many"],
    ["SAMPLE", "yes"],
    ["LOG_LEVEL", "loud"],
  ])("parseSettings refuses %s=%s", (name, value) => {
    expect(faultsOf(() => parseSettings({ [name]: value, SECRET_KEY: SECRET }))).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be `)),
    ]);
  });

  it.each(["localhost:11434", "ftp://models/v1", "https://me:secret@models/v1", "https://models/v1?key=secret"])(
    "parseSettings refuses AGENT_MODEL_URL=%s",
    (url) => {
      expect(faultsOf(() => parseSettings({ AGENT_MODEL_URL: url, AGENT_MODEL: "m" }))).toEqual([
        expect.stringMatching(/^AGENT_MODEL_URL must be /),
      ]);
    },
  );

  it.each([
    ["SMTP_URL", "http://smtp.example.com"],
    ["SMTP_URL", "smtp://smtp.example.com/inbox"],
    ["SMTP_URL", "smtp://smtp.example.com?tls=no"],
    ["MAIL_FROM", "nobody"],
    ["MAIL_FROM", "a@example.com\r\nBcc: b@example.com"],
    ["MAIL_FROM", "a@example.com, b@example.com"],
  ])("parseSettings refuses the mail setting %s=%j", (name, value) => {
    const env = { SMTP_URL: "smtp://smtp.example.com", MAIL_FROM: "a@example.com", [name]: value };
    expect(faultsOf(() => parseSettings(env))).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
  });

  it.each([{ AGENT_MODEL_URL: "http://models/v1" }, { AGENT_MODEL: "m" }])("parseSettings refuses %o alone", (env) => {
    expect(faultsOf(() => parseSettings(env))).toEqual([expect.stringMatching(/^AGENT_MODEL_URL and AGENT_MODEL /)]);
  });

  const SSO = {
    OIDC_ISSUER: "https://login.example.com",
    OIDC_CLIENT_ID: "tributary",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_DOMAINS: "example.com",
  };

  it.each([
    ["OIDC_ISSUER", "http://login.example.com"],
    ["OIDC_ISSUER", "https://user@login.example.com"],
    ["OIDC_ISSUER", "login"],
    ["OIDC_CLIENT_SECRET", "two words"],
    ["OIDC_DOMAINS", "@example.com"],
  ])("parseSettings refuses %s=%s with single sign-on", (name, value) => {
    expect(faultsOf(() => parseSettings({ ...SSO, [name]: value }))).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be `)),
    ]);
  });

  it.each([
    ["OIDC_ADMIN_GROUPS", "admins", "OIDC_ISSUER"],
    ["OIDC_ENGINEER_GROUPS", "engineers", "OIDC_ISSUER"],
    ["SMTP_PASSWORD", "secret", "SMTP_URL"],
    ["AGENT_MODEL_KEY", "secret", "AGENT_MODEL_URL"],
    ["GRAPH_USER", "ada", "GRAPH_URL=bolt://…"],
    ["GRAPH_PASSWORD", "secret", "GRAPH_URL=bolt://…"],
  ])("parseSettings refuses %s if what it is for is not set", (name, value, needed) => {
    const expected = [`${name} does nothing without ${needed}.`];
    expect(faultsOf(() => parseSettings({ GRAPH_URL: "sqlite:", [name]: value }))).toEqual(expected);
    expect(parseSettings({ [name]: "" })).toEqual(parseSettings({}));
  });

  it("parseSettings accepts an unencrypted issuer only on this machine, and the single sign-on settings only together", () => {
    expect(parseSettings({ ...SSO, OIDC_ISSUER: "http://127.0.0.1:9000" }).sso).toMatchObject({
      name: "Single sign-on",
      workspace: "default",
      adminGroups: [],
    });
    for (const name of Object.keys(SSO)) {
      expect(faultsOf(() => parseSettings({ ...SSO, [name]: "" }))).toEqual([
        "OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_DOMAINS must be set together, or none of them.",
      ]);
    }
  });

  it.each([
    ["redis://valkey", { host: "valkey", port: 6_379, username: null, password: null, database: 0, tls: false }],
    ["redis://valkey:6380/", { host: "valkey", port: 6_380, database: 0 }],
    ["redis://:secret@10.0.0.7/15", { host: "10.0.0.7", username: null, password: "secret", database: 15 }],
    ["REDISS://ada@valkey.internal", { host: "valkey.internal", username: "ada", password: null, tls: true }],
  ])("parseSettings reads LIMITS_URL=%s", (url, address) => {
    expect(parseSettings({ LIMITS_URL: url }).valkey).toMatchObject(address);
  });

  it("parseSettings needs no secret key for a graph on a server, because the data folder has one", () => {
    expect(parseSettings({ GRAPH_URL: "bolt://graph:7687" }).secretKey).toBeNull();
  });

  it.each(["DATADIR", "data_dir", "GRAPH_URI", "PUBLIC_URI", "TRUSTED_PROXIE", "LOGLEVEL", "TRIBUTARY_PORT"])(
    "parseSettings refuses the unknown setting %s",
    (name) => {
      expect(faultsOf(() => parseSettings({ [name]: "x" }))).toEqual([
        expect.stringMatching(new RegExp(`^${name} is not a setting`)),
      ]);
    },
  );

  it.each("PATH HOME HOSTNAME HOSTS PORTS PWD LOGNAME SHLVL GRAPHQL_URL XDG_DATA_DIRS PGDATA".split(" "))(
    "parseSettings ignores the ordinary variable %s",
    (name) => {
      expect(parseSettings({ [name]: "x" }).port).toBe(8080);
    },
  );

  it("parseSettings ignores the variables that Kubernetes sets for Services with similar names", () => {
    const injected = {
      TRIBUTARY_SERVICE_HOST: "10.96.0.12",
      TRIBUTARY_SERVICE_PORT: "8080",
      TRIBUTARY_SERVICE_PORT_HTTP: "8080",
      TRIBUTARY_PORT: "tcp://10.96.0.12:8080",
      TRIBUTARY_PORT_8080_TCP: "tcp://10.96.0.12:8080",
      TRIBUTARY_PORT_8080_TCP_PROTO: "tcp",
      TRIBUTARY_PORT_8080_TCP_PORT: "8080",
      TRIBUTARY_PORT_8080_TCP_ADDR: "10.96.0.12",
      TRIBUTARY_GRAPH_SERVICE_HOST: "10.96.0.13",
      TRIBUTARY_GRAPH_PORT_7687_TCP: "tcp://10.96.0.13:7687",
    };
    expect(parseSettings(injected)).toEqual(parseSettings({}));
    expect(faultsOf(() => parseSettings({ TRIBUTARY_PORT: "8080" }))).toEqual(["TRIBUTARY_PORT is not a setting."]);
  });
});

describe("readSettings", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tributary-settings-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("readSettings reads .env, and the environment overrides it", () => {
    writeFileSync(join(folder, ".env"), "PORT=1111\n# a comment\nSAMPLE=off\n");
    expect(readSettings({ PORT: "2222" }, folder)).toMatchObject({ port: 2222, sample: false });
  });

  it("readSettings reads secrets from files, without the line break at their end", () => {
    const path = join(folder, "secret");
    writeFileSync(path, `${SECRET}\n`);
    writeFileSync(join(folder, ".env"), `SECRET_KEY_FILE=${path}\n`);
    expect(readSettings({}, folder).secretKey).toBe(SECRET);
    writeFileSync(join(folder, "url"), "redis://:pass@valkey");
    writeFileSync(join(folder, ".env"), "");
    expect(readSettings({ LIMITS_URL_FILE: join(folder, "url"), SECRET_KEY_FILE: "" }, folder)).toMatchObject({
      valkey: { password: "pass" },
      secretKey: null,
    });
  });

  it("readSettings reads every setting that may contain a secret from a file", () => {
    const secret = SETTINGS.filter(({ words }) => words.isSecret).map(({ name }) => name);
    const looksSecret = SETTINGS.map(({ name }) => name).filter((name) =>
      /_KEY$|SECRET|PASSWORD$|TOKEN$|_HEADERS$|^\w+(?<!PUBLIC|MODEL|TRIBUTARY)_URL$/.test(name),
    );
    expect(secret).toEqual(looksSecret);
  });

  it("readSettings refuses a file that cannot be read, is empty, or names a secret that is set", () => {
    writeFileSync(join(folder, "empty"), "\n");
    writeFileSync(join(folder, "short"), "hunter2");
    const env = {
      OIDC_CLIENT_SECRET_FILE: join(folder, "nowhere"),
      AGENT_MODEL_KEY_FILE: join(folder, "empty"),
      TRIBUTARY_TOKEN: "t",
      TRIBUTARY_TOKEN_FILE: join(folder, "empty"),
      SECRET_KEY_FILE: join(folder, "short"),
      PORT_FILE: "/port",
    };
    expect(faultsOf(() => readSettings(env, folder))).toEqual([
      // The value is not repeated, because somebody may have put the secret itself there.
      "OIDC_CLIENT_SECRET_FILE cannot be read (ENOENT).",
      "AGENT_MODEL_KEY_FILE cannot be read (it is empty or too long).",
      "TRIBUTARY_TOKEN and TRIBUTARY_TOKEN_FILE must not both be set.",
      "SECRET_KEY must be at least 32 characters long.",
    ]);
  });

  it("readSettings refuses every unknown name in .env, beside all other faults", () => {
    writeFileSync(join(folder, ".env"), "COLOUR=blue\nGRAPHURL=sqlite:\nSAMPLE=maybe\n");
    expect(faultsOf(() => readSettings({}, folder))).toEqual([
      "COLOUR in .env is not a setting.",
      "GRAPHURL is not a setting; did you mean GRAPH_URL?",
      "SAMPLE must be on or off.",
    ]);
  });
});

it(".env.example lists every setting with its description and its default", () => {
  const listed = SETTINGS.map(({ name, words }) => {
    const file = words.isSecret ? `# ${name}_FILE=\n` : "";
    return `# ${words.about}\n# ${name}=${words.default ?? ""}\n${file}`;
  });
  const file = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  expect(file.split("\n\n").slice(1).join("\n\n")).toBe(listed.join("\n"));
});
