/** The files by which the service is delivered: image, compose file and continuous integration. */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { SETTINGS } from "../../src/settings/schema.ts";
import { readContext, readDockerfile, valuesOf } from "../support/dockerfile.ts";

const TEST_COMMAND = "npm ci && npm test";
const FULL_COMMAND = `${TEST_COMMAND} && npm run test:full`;
/** An image by name and full version, such as `node:26.12.0-trixie-slim`. */
const PINNED = /^[\w./-]+:\d+\.\d+\.\d+(-[\w.-]+)?$/;
const MEMGRAPH = /^memgraph\/memgraph:(\d+)\.(\d+)\.\d+$/;

/** Settings for which the image or the compose file chooses a value. */
const DECIDED: ReadonlySet<string> = new Set([
  "HOST",
  "PORT",
  "DATA_DIR",
  "GRAPH_URL",
  "METADATA_URL",
  "LIMITS_URL",
  "SERVER_WORKS",
  // These have a default.
  "PUBLIC_URL",
  "CONNECTOR_FOLDERS",
  "METRICS_HOST",
]);
/** Settings that only the command line uses. */
const OF_COMMANDS = /^TRIBUTARY_/;

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

function read(name: string): string {
  return readFileSync(pathOf(name), "utf8");
}

const composeFile = z.object({
  services: z.object({
    tributary: z.object({
      build: z.literal("."),
      depends_on: z.object({ memgraph: z.object({ condition: z.string() }) }),
      environment: z.record(z.string(), z.string().nullable()),
      ports: z.array(z.string()),
      volumes: z.array(z.string()),
    }),
    memgraph: z.object({
      image: z.string(),
      command: z.array(z.string()),
      volumes: z.array(z.string()),
      healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), timeout: z.string() }),
      ports: z.never().optional(),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
});
const workflow = z.object({
  jobs: z.object({
    test: z.object({
      strategy: z.object({ matrix: z.object({ node: z.array(z.number()) }) }),
      services: z.object({ memgraph: z.object({ image: z.string(), options: z.string() }) }),
      env: z.record(z.string(), z.string()),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  }),
});

describe("docker-compose.yml", () => {
  const { services, volumes } = composeFile.parse(parse(read("docker-compose.yml")));

  it("docker-compose.yml pins Memgraph to a released version of at least 3.11", () => {
    expect(services.memgraph.image).toMatch(MEMGRAPH);
    const [, major, minor] = MEMGRAPH.exec(services.memgraph.image) ?? [];
    expect(Number(major) * 100 + Number(minor)).toBeGreaterThanOrEqual(311);
  });

  it("docker-compose.yml has Memgraph write every transaction to the disk before it is acknowledged", () => {
    expect(services.memgraph.command).toEqual(
      expect.arrayContaining([
        "--storage-wal-enabled=true",
        "--storage-wal-file-flush-every-n-tx=1",
        expect.stringMatching(/^--storage-snapshot-interval=\d+$/),
      ]),
    );
  });

  it("docker-compose.yml keeps all data in named volumes", () => {
    const mounted = [...services.tributary.volumes, ...services.memgraph.volumes];
    expect(mounted).toEqual(expect.arrayContaining(["tributary-data:/data", "memgraph-data:/var/lib/memgraph"]));
    expect(mounted.map((mount) => mount.split(":")[0]).toSorted()).toEqual(Object.keys(volumes).toSorted());
  });

  it("docker-compose.yml starts the service after the graph is healthy", () => {
    expect(services.tributary.depends_on.memgraph.condition).toBe("service_healthy");
    expect(services.tributary.environment["GRAPH_URL"]).toBe("bolt://memgraph:7687");
    expect(services.memgraph.healthcheck.test.join(" ")).toContain("mgconsole");
  });

  it("docker-compose.yml needs no secret key, and passes one on if it is set", () => {
    expect(services.tributary.environment).toMatchObject({ SECRET_KEY: null });
    expect(read("docker-compose.yml")).not.toContain("openssl");
  });

  it("docker-compose.yml lets connectors read only the folder for artifacts, as the image does", () => {
    expect(services.tributary.environment["CONNECTOR_FOLDERS"]).toBe("${CONNECTOR_FOLDERS:-/artifacts}");
    expect(read("docker-compose.yml")).toContain("/path/to/project/target:/artifacts:ro");
    expect(valuesOf("ENV").join(" ").split(" ")).toContain("CONNECTOR_FOLDERS=/artifacts");
  });

  it("docker-compose.yml opens the service only to this machine, and passes on every other setting", () => {
    const { environment, ports } = services.tributary;
    const names = SETTINGS.map(({ name }) => name).filter((name) => !DECIDED.has(name) && !OF_COMMANDS.test(name));
    expect(names.filter((name) => environment[name] !== null)).toEqual([]);
    expect(ports).toEqual(["127.0.0.1:8080:8080"]);
  });

  it("docker-compose.yml serves metrics to other containers if they have a port", () => {
    expect(services.tributary.environment["METRICS_HOST"]).toBe("${METRICS_HOST:-0.0.0.0}");
    expect(services.tributary.environment["METRICS_PORT"]).toBeNull();
  });
});

const overlay = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string().optional(),
      extends: z.object({ file: z.string(), service: z.string() }).optional(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.unknown()).optional(),
      deploy: z.object({ replicas: z.number() }).optional(),
      ports: z.array(z.string()).optional(),
      volumes: z.array(z.string()).optional(),
    }),
  ),
  networks: z.object({ default: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }) }),
});

describe("docker-compose.scale.yml", () => {
  // `!reset` belongs to Compose; `<<` belongs to YAML 1.1.
  const text = read("docker-compose.scale.yml").replaceAll("!reset ", "");
  const { services, networks } = overlay.parse(parse(text, { merge: true }));
  const ours = [services["tributary"], services["worker"]];

  it("docker-compose.scale.yml runs three servers and two workers with the same secret key, metadata and limits", () => {
    expect(ours.map((each) => each?.deploy?.replicas)).toEqual([3, 2]);
    const [server, worker] = ours.map((each) => each?.environment ?? {});
    for (const name of ["SECRET_KEY", "METADATA_URL", "LIMITS_URL"]) {
      expect(server?.[name]).toEqual(expect.any(String));
      expect(worker?.[name]).toBe(server?.[name]);
    }
    expect(services["worker"]?.command?.at(-1)).toBe("worker");
  });

  it("docker-compose.scale.yml gives every process of the service all settings of docker-compose.yml", () => {
    // Compose lays a service over the one of the same name in the other file, and over the one that it extends.
    const others = Object.entries(services).filter(([name, { image }]) => name !== "tributary" && image === undefined);
    expect(others.map(([name]) => name)).toEqual(["worker"]);
    for (const [, each] of others) expect(each.extends).toEqual({ file: "docker-compose.yml", service: "tributary" });
  });

  it("docker-compose.scale.yml overrides for workers nothing but the stores, and for servers also the proxy and who works", () => {
    const [server = [], worker = []] = ours.map((each) => Object.keys(each?.environment ?? {}));
    expect(worker.toSorted()).toEqual(["LIMITS_URL", "METADATA_URL", "SECRET_KEY"]);
    expect(server.filter((name) => !worker.includes(name)).toSorted()).toEqual(["SERVER_WORKS", "TRUSTED_PROXIES"]);
  });

  it("docker-compose.scale.yml sets only settings that exist", () => {
    const known = new Set(SETTINGS.map(({ name }) => name));
    const set = ours.flatMap((each) => Object.keys(each?.environment ?? {}));
    expect(set.filter((name) => !known.has(name))).toEqual([]);
  });

  it("docker-compose.scale.yml opens only the proxy, and trusts its forwarded addresses", () => {
    const reachable = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0);
    expect(reachable.map(([name, { ports }]) => [name, ports])).toEqual([["proxy", ["127.0.0.1:8080:8080"]]]);
    // Without a list of their own, they would have the port of docker-compose.yml.
    expect(ours.map((each) => each?.ports)).toEqual([[], []]);
    const [config] = networks.default.ipam.config;
    expect(services["tributary"]?.environment?.["TRUSTED_PROXIES"]).toBe(config?.subnet);
  });

  it("docker-compose.scale.yml pins the images that run beside the service", () => {
    const images = Object.values(services).flatMap(({ image }) => image ?? []);
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+(\.\d+)?$/);
  });
});

describe("Dockerfile", () => {
  it("The Dockerfile uses a Node image pinned by its full version", () => {
    const [base] = valuesOf("FROM");
    expect(base).toMatch(PINNED);
    expect(base).toMatch(/^node:26\./);
  });

  it("The Dockerfile installs the lockfile's packages without development tools", () => {
    expect(valuesOf("RUN").join("\n")).toContain("npm ci --omit=dev");
  });

  it("The Dockerfile's commands run as a user that is not root", () => {
    expect(valuesOf("USER")).toEqual(["node"]);
    const names = readDockerfile().map(({ name }) => name);
    expect(names.lastIndexOf("RUN")).toBeLessThan(names.indexOf("USER"));
  });

  it("The image contains the files that run, and no secrets and tests", () => {
    const lines = read(".dockerignore").split("\n");
    const first = lines.find((line) => line !== "" && !line.startsWith("#"));
    expect(first).toBe("*");
    const kept = readContext();
    expect(kept).toEqual(expect.arrayContaining(["package-lock.json", "src", "schema", "samples"]));
    expect(kept.join()).not.toMatch(/test|data|\.env|\.git/);
  });
});

describe("Continuous integration", () => {
  const { test } = workflow.parse(parse(read(".github/workflows/ci.yml"))).jobs;

  it("Continuous integration runs on the oldest Node from which npm ci can start and on the newest", () => {
    expect(test.strategy.matrix.node).toEqual([20, 26]);
  });

  it("Continuous integration tests against the Memgraph version that is delivered", () => {
    const { services } = composeFile.parse(parse(read("docker-compose.yml")));
    expect(test.services.memgraph.image).toBe(services.memgraph.image);
    expect(test.services.memgraph.options).toContain("--health-cmd");
    expect(test.env["TEST_MEMGRAPH_URL"]).toBe("bolt://127.0.0.1:7687");
  });

  it("Continuous integration pins every action and runs the README's test command", () => {
    for (const { uses } of test.steps) expect(uses ?? "run@v1").toMatch(/@(v\d+|[0-9a-f]{40})$/);
    expect(test.steps.map(({ run }) => run)).toContain(TEST_COMMAND);
    expect(read("README.md")).toContain(TEST_COMMAND);
  });

  it(".ci/run is one script that stops at the first fault", () => {
    const lines = read(".ci/run").split("\n");
    expect(lines[0]).toBe("#!/usr/bin/env bash");
    expect(lines).toContain("set -euo pipefail");
    expect(lines).toContain(FULL_COMMAND);
    expect(statSync(pathOf(".ci/run")).mode & 0o111).not.toBe(0);
  });
});

describe("All delivery files", () => {
  it.each(["Dockerfile", "docker-compose.yml", ".github/workflows/ci.yml"])("%s never uses the tag latest", (name) => {
    expect(read(name)).not.toMatch(/:latest\b/);
  });
});
