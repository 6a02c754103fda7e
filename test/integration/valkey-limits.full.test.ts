/** Several servers that count on one Valkey server, which is killed, frozen and refuses. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { Redis } from "iovalkey";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

import { LOCKOUT_FAILURES, WINDOW_MS } from "../../src/limits/limits.ts";
import { createTestClock, MINUTE_MS } from "../support/clock.ts";
import { waitUntil } from "../support/shell-server.ts";
import { hasValkey, startValkey, type ValkeyServer } from "../support/valkey.ts";
import { openLimitsOn, type OpenedLimits, shareTime } from "../support/valkey-limits.ts";

const SOURCE = "203.0.113.7";
/** Long enough for a busy machine. */
const PATIENT = { commandMs: 10_000 };

async function isShared({ check }: OpenedLimits): Promise<boolean> {
  return check().then(
    () => true,
    () => false,
  );
}

/** The number of requests that pass, of many at once to the servers in turn. */
async function countAdmitted(servers: readonly OpenedLimits[], asks: number, limit: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: asks }, (_, n) => servers[n % servers.length]?.rateLimiter.admit("key", limit, 1)),
  );
  return answers.filter((answer) => answer?.admitted).length;
}

async function fail(server: OpenedLimits, source: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await server.lockouts.authentication.noteFailure(source);
}

function blocked(server: OpenedLimits, source: string): Promise<number> {
  return server.lockouts.authentication.blockedForSeconds(source);
}

/** A server of a new service. It closes when the test ends. */
async function openAt(url: string): Promise<OpenedLimits> {
  const server = await openLimitsOn(url, { secretKey: randomBytes(32), ...PATIENT });
  onTestFinished(() => server.close());
  return server;
}

describe.skipIf(!hasValkey)("limits on Valkey", () => {
  let valkey: ValkeyServer;
  beforeAll(async () => {
    valkey = await startValkey();
  });
  afterAll(() => valkey.close());
  afterEach(async () => {
    valkey.thaw();
    await valkey.start();
  });

  /** Servers of one service. */
  async function openServers(count: number, options: Partial<Parameters<typeof openLimitsOn>[1]> = PATIENT) {
    const secretKey = randomBytes(32);
    const open = () => openLimitsOn(valkey.url, { secretKey, ...options });
    const servers = await Promise.all(Array.from({ length: count }, open));
    onTestFinished(async () => {
      for (const server of servers) await server.close();
    });
    return servers as [OpenedLimits, OpenedLimits];
  }

  it("Two servers share an exact limit: of 1,000 requests at once, a limit of 100 lets 100 through", async () => {
    const servers = await openServers(2);
    expect(await countAdmitted(servers, 1_000, 100)).toBe(100);
    expect(await countAdmitted(servers, 10, 100)).toBe(0);
    expect(await servers[1].rateLimiter.look("key", 100)).toMatchObject({ remaining: 0 });
  });

  it("Two servers both lock a source out, whichever counted its failures", async () => {
    const [one, other] = (await openServers(2)).map(({ lockouts }) => lockouts.authentication) as [
      OpenedLimits["lockouts"]["authentication"],
      OpenedLimits["lockouts"]["authentication"],
    ];
    for (let n = 0; n < LOCKOUT_FAILURES - 1; n++) await one.noteFailure(SOURCE);
    await other.noteSuccess(SOURCE);
    for (let n = 0; n < LOCKOUT_FAILURES - 1; n++) {
      expect(await (n % 2 === 0 ? one : other).noteFailure(SOURCE)).toBe(false);
    }
    expect(await one.noteFailure(SOURCE)).toBe(true);
    expect(await other.blockedForSeconds(SOURCE)).toBe(60);
    expect(await other.noteFailure(SOURCE)).toBe(false);
  });

  it("Services with other secret keys have separate limits, also on the same server", async () => {
    const [[one], [other]] = [await openServers(1), await openServers(1)];
    await one.rateLimiter.admit("key", 1, 1);
    for (let n = 0; n < LOCKOUT_FAILURES; n++) await one.lockouts.authentication.noteFailure(SOURCE);
    expect(await other.rateLimiter.admit("key", 1, 1)).toMatchObject({ admitted: true });
    expect(await other.lockouts.authentication.blockedForSeconds(SOURCE)).toBe(0);
  });

  it("Every key in Valkey expires, and no key contains an address", async () => {
    const [server] = await openServers(1);
    const redis = new Redis({ host: "127.0.0.1", port: valkey.port });
    onTestFinished(() => redis.disconnect());
    await redis.flushall();
    await server.rateLimiter.admit("key", 5, 3);
    await server.rateLimiter.look("another key", 5);
    for (let n = 0; n < LOCKOUT_FAILURES; n++) await server.lockouts["login-email"].noteFailure("ada@example.com");
    await server.lockouts["login-email"].noteFailure("bob@example.com");
    const keys = await redis.keys("*");
    const names = keys.map((key) => key.replace(/^tributary:[\w-]{12}:/, "").replace(/:[\w-]{22}:/, ":HASH:"));
    expect(names.toSorted()).toEqual(["login-email:HASH:block", "login-email:HASH:failures", "quota:key"]);
    for (const key of keys) expect(await redis.pttl(key)).toSatisfy((ms: number) => ms > 0 && ms <= 5 * MINUTE_MS);
  });

  it("Limits go on when Valkey is killed, and no server lets more than the limit through in a window", async () => {
    const clock = createTestClock();
    const servers = await openServers(2, { clock, ...PATIENT });
    const [one, other] = servers;
    expect(await countAdmitted([one], 4, 10)).toBe(4);
    expect(await countAdmitted([other], 3, 10)).toBe(3);
    await valkey.kill();
    // Each server continues with the units that it admitted itself.
    expect(await countAdmitted([one], 20, 10)).toBe(6);
    expect(await countAdmitted([other], 20, 10)).toBe(7);
    expect(await isShared(one)).toBe(false);

    // The new Valkey server knows only what it is told.
    await valkey.start();
    for (const server of servers) await waitUntil(() => isShared(server));
    expect(await countAdmitted([one], 20, 10)).toBe(0);
    expect(await one.rateLimiter.look("key", 21)).toMatchObject({ remaining: 11 });
    expect(await other.rateLimiter.look("key", 21)).toMatchObject({ remaining: 1 });
    expect(await one.rateLimiter.admit("key", 21, 1)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await other.rateLimiter.admit("key", 21, 1)).toMatchObject({ admitted: false });
    // Each new reason is logged: first the lost connection, then the refused one.
    expect([...new Set(one.lines.map(({ msg }) => msg))]).toEqual([
      "The limits store is away: until it answers, each server counts requests by itself.",
      "The limits store answers: requests are counted together again.",
    ]);
  });

  it("Servers share their limits again after the window that they counted apart", async () => {
    const time = await shareTime(valkey);
    onTestFinished(time.close);
    const [one, other] = await openServers(2, { ...PATIENT, clock: time.clock, timeSource: time.timeSource });
    await valkey.kill();
    expect(await countAdmitted([one], 20, 10)).toBe(10);
    await valkey.start();
    // This writes the new server's time too.
    await time.advance(WINDOW_MS - 1);
    for (const server of [one, other]) await waitUntil(() => isShared(server));
    expect(await countAdmitted([one], 1, 10)).toBe(0);
    expect(await countAdmitted([other], 1, 10)).toBe(0);
    await time.advance(1);
    expect(await countAdmitted([one, other], 40, 10)).toBe(10);
  });

  it("Servers keep a block while Valkey is away, and share the blocks that they made meanwhile", async () => {
    const [one, other] = await openServers(2);
    await fail(one, SOURCE, LOCKOUT_FAILURES);
    expect(await blocked(other, SOURCE)).toBe(60);
    await fail(one, "198.51.100.1", LOCKOUT_FAILURES - 1);
    await valkey.kill();
    expect(await blocked(one, SOURCE)).toBe(60);
    expect(await blocked(other, SOURCE)).toBe(60);
    await fail(one, "198.51.100.1", 1);
    expect(await blocked(one, "198.51.100.1")).toBe(60);
    await valkey.start();
    for (const server of [one, other]) await waitUntil(() => isShared(server));
    expect(await blocked(other, "198.51.100.1")).toBe(0);
    expect(await blocked(one, "198.51.100.1")).toBe(60);
    expect(await blocked(other, "198.51.100.1")).toBeGreaterThan(0);
  });

  it("A request waits for a frozen Valkey once, no longer than a command may take, and counts once", async () => {
    const commandMs = 3_001;
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const waits = () => timers.mock.calls.filter(([, ms]) => ms === commandMs).length;
    const [server] = await openServers(1, { commandMs });
    await server.rateLimiter.admit("key", 1_000, 1);
    valkey.freeze();
    const before = waits();
    expect(await countAdmitted([server], 50, 1_000)).toBe(50);
    expect(waits() - before).toBe(50);
    expect(await countAdmitted([server], 50, 1_000)).toBe(50);
    expect(waits() - before).toBe(50);

    // Valkey now runs the earlier commands, and learns of all 101 units.
    valkey.thaw();
    await waitUntil(() => isShared(server));
    expect(await server.rateLimiter.look("key", 1_000)).toMatchObject({ remaining: 899 });
  });

  it("A Valkey that cannot be written is treated as away", async () => {
    const replica = await startValkey({ replicaof: "127.0.0.1 1" });
    onTestFinished(() => replica.close());
    const server = await openAt(replica.url);
    expect(await isShared(server)).toBe(false);
    expect(await countAdmitted([server], 5, 3)).toBe(3);
    expect(server.lines).toMatchObject([{ reason: expect.stringContaining("READONLY") }]);
  });

  it("Servers sign in to Valkey by the URL, and never show the password", async () => {
    const guarded = await startValkey({ requirepass: "s3cr3t word" });
    onTestFinished(() => guarded.close());
    const redis = new Redis({ host: "127.0.0.1", port: guarded.port, password: "s3cr3t word", db: 3 });
    onTestFinished(() => redis.disconnect());
    await redis.acl("SETUSER", "ada", "on", ">pass/w:rd@1", "~*", "+@all");
    const at = `127.0.0.1:${guarded.port}`;
    for (const user of ["", ":wr0ng@", "ada:wr0ng@", "eve:wr0ng@"]) {
      const refused = await openAt(`redis://${user}${at}`);
      expect(await isShared(refused)).toBe(false);
      expect(refused.lines).toMatchObject([
        { location: `redis://${at}/0`, reason: expect.stringMatching(/NOAUTH|WRONGPASS/) },
      ]);
      expect(JSON.stringify(refused.lines)).not.toContain("wr0ng");
    }
    for (const user of [":s3cr3t%20word@", "ada:pass%2Fw%3Ard%401@"]) {
      const server = await openAt(`redis://${user}${at}/3`);
      expect(await isShared(server)).toBe(true);
      expect(server.lines).toEqual([]);
    }
    expect(await redis.dbsize()).toBe(2);
    expect((await openAt(`redis://:s3cr3t%20word@${at}/99`)).lines).toMatchObject([
      { reason: expect.stringContaining("DB index") },
    ]);
  });

  it("The password is not shown either if Valkey repeats what it does not understand", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () =>
        socket.write("-ERR unknown command 'auth', with args beginning with: 'ada' 's3cr3t' \r\n"),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const refused = await openAt(`redis://ada:s3cr3t@127.0.0.1:${port}`);
    expect(await isShared(refused)).toBe(false);
    expect(refused.lines).toMatchObject([{ reason: expect.stringContaining("unknown command") }]);
    expect(JSON.stringify(refused.lines)).not.toContain("s3cr3t");
  });
});
