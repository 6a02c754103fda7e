/** The service with its limits on a Valkey server that comes and goes. */
import { rmSync } from "node:fs";

import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";

import { startApp } from "../support/app.ts";
import { makeCertificate } from "../support/certificate.ts";
import { findFreePort } from "../support/free-port.ts";
import { startFromShell, waitUntil } from "../support/shell-server.ts";
import { hasValkey, startValkey } from "../support/valkey.ts";

describe.skipIf(!hasValkey)("the service with limits on Valkey", () => {
  it("The service starts without Valkey, is degraded while Valkey is away, and recovers by itself", async () => {
    const valkey = await startValkey({ requirepass: "s3cr3t" });
    onTestFinished(() => valkey.close());
    await valkey.kill();
    const lines: Record<string, unknown>[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const LIMITS_URL = `redis://:s3cr3t@127.0.0.1:${valkey.port}`;
    const { url, token, close } = await startApp({ env: { LIMITS_URL }, overrides: { log } });
    onTestFinished(close);
    const ask = async () => {
      const { status, headers } = await fetch(`${url}/api/v1/metrics`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return { status, remaining: Number(headers.get("X-RateLimit-Remaining")) };
    };
    const health = async () => {
      const answer = await fetch(`${url}/health`);
      return [answer.status, await answer.json()] as const;
    };

    const { status, remaining } = await ask();
    expect(status).toBe(200);
    expect(await health()).toMatchObject([200, { status: "degraded", dependencies: { limits_store: "down" } }]);

    await valkey.start();
    await waitUntil(async () => (await health())[1].status === "ok");
    expect(await ask()).toEqual({ status: 200, remaining: remaining - 1 });

    await valkey.kill();
    expect(await ask()).toEqual({ status: 200, remaining: remaining - 2 });
    expect(await health()).toMatchObject([200, { status: "degraded", dependencies: { limits_store: "down" } }]);
    await valkey.start();
    await waitUntil(async () => (await health())[1].status === "ok");
    expect(await ask()).toEqual({ status: 200, remaining: remaining - 3 });

    expect(lines).toContainEqual(
      expect.objectContaining({
        location: `redis://127.0.0.1:${valkey.port}/0`,
        reason: expect.stringMatching(/ECONNREFUSED/),
      }),
    );
    expect(JSON.stringify(lines)).not.toContain("s3cr3t");
  });

  it("The service uses TLS with Valkey, and only with a server whose certificate is trusted", async () => {
    const { folder, certificate, key } = makeCertificate();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = { "tls-cert-file": certificate, "tls-key-file": key, "tls-ca-cert-file": certificate };
    const tlsPort = await findFreePort();
    const valkey = await startValkey({ ...files, "tls-port": String(tlsPort), "tls-auth-clients": "no" });
    onTestFinished(() => valkey.close());
    const LIMITS_URL = `rediss://localhost:${tlsPort}`;
    const start = async (env: Record<string, string>) => {
      const server = await startFromShell({ env: { LIMITS_URL, ...env } });
      return async () => (await (await server.get("/health")).json()).dependencies.limits_store;
    };
    const limitsStoreOf = await start({});
    expect(await limitsStoreOf()).toBe("down");
    // A busy machine may take longer to connect than a start waits.
    await expect.poll(await start({ NODE_EXTRA_CA_CERTS: certificate })).toBe("ok");
  });
});
