/** Errors of the store, the credentials in its URL, and its schema. */
import { isRetryableError, Neo4jError } from "neo4j-driver";
import { describe, expect, it } from "vitest";

import { AppError, notFound } from "../../../../src/errors.ts";
import { createBolt, splitCredentials } from "../../../../src/graph/memgraph/bolt.ts";
import { isPassing, isStopped, toAppError } from "../../../../src/graph/memgraph/errors.ts";
import { readSchema, splitStatements } from "../../../../src/graph/memgraph/schema.ts";

function driverError(code: string, message = "told by the driver"): Neo4jError {
  return new Neo4jError(message, code, "50N42", "error");
}

describe("Driver errors", () => {
  it.each([
    ["ServiceUnavailable", "cannot be reached"],
    ["SessionExpired", "closed the connection"],
    ["ProtocolError", "does not speak Bolt"],
    ["Memgraph.ClientError.Security.Unauthenticated", "refuses the user or the password"],
    ["Memgraph.TransientError.MemgraphError.MemgraphError", "is too busy"],
  ])("The driver error %s becomes unavailable, and says that the store %s", (code, words) => {
    const cause = driverError(code);
    const error = toAppError(cause);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining(words), cause });
  });

  it("The error says that a user is needed if the connection has none", () => {
    const refused = driverError("Memgraph.ClientError.Security.Unauthenticated");
    expect(toAppError(refused, { isCredentialGiven: false })).toMatchObject({
      message: expect.stringContaining("set GRAPH_USER and GRAPH_PASSWORD"),
    });
  });

  it("A pool without a free connection is reported as unavailable", () => {
    expect(toAppError(driverError("N/A", "Connection acquisition timed out in 10 ms."))).toMatchObject({
      code: "unavailable",
    });
  });

  it.each([
    "Transaction was asked to abort because of transaction timeout.",
    "Transaction was asked to abort, most likely because it was executing longer than time specified by --query-execution-timeout-sec flag.",
    "Memory limit exceeded! Attempting to allocate a chunk of 2.00MiB which would put the current use to 1.00GiB, while the maximum allowed size for allocation is set to 1.00GiB.",
  ])("A statement that a limit stopped is not retried: %s", (message) => {
    const stopped = driverError("Memgraph.TransientError.MemgraphError.MemgraphError", message);
    expect(isStopped(stopped)).toBe(true);
    expect(isPassing(stopped)).toBe(false);
    const told = toAppError(stopped);
    expect(told).toMatchObject({ code: "unavailable", message: expect.stringContaining("took too long") });
    // Neither the driver nor Tributary runs it again.
    expect(isRetryableError(stopped)).toBe(true);
    expect(told instanceof Error && isRetryableError(told)).toBe(false);
    expect(isPassing(told)).toBe(false);
  });

  it("A conflict between transactions does not count as a limit", () => {
    const conflict =
      "Cannot resolve conflicting transactions. You can retry this transaction when the conflicting transaction is finished";
    expect(isStopped(driverError("Memgraph.TransientError.MemgraphError.MemgraphError", conflict))).toBe(false);
  });

  it("An error for a refused statement stays as it is, because it is a bug of ours", () => {
    const refused = driverError("Memgraph.ClientError.MemgraphError.MemgraphError", "no viable alternative");
    expect(toAppError(refused)).toBe(refused);
  });

  it("Errors that do not come from the driver are returned unchanged", () => {
    const ours = notFound("asset", "x");
    const bug = new TypeError("no text");
    expect(toAppError(ours)).toBe(ours);
    expect(toAppError(bug)).toBe(bug);
  });

  it("An error counts as temporary if the work may succeed when it runs again", () => {
    const code = "Memgraph.ClientError.MemgraphError.MemgraphError";
    const passing = [
      "Unable to commit due to unique constraint violation on :Asset(id)",
      "Cannot get unique access to the storage. Try stopping other queries that are running in parallel.",
      "Cannot get shared access storage. Try stopping other queries that are running in parallel.",
    ];
    for (const message of passing) expect(isPassing(driverError(code, message))).toBe(true);
    expect(isPassing(driverError(code))).toBe(false);
    expect(isPassing(new Error(passing[0]))).toBe(false);
  });
});

describe("A store that cannot be reached", () => {
  it("Every kind of call is unavailable if the store cannot be reached", async () => {
    // Nothing listens on port 1 of the loopback address.
    const bolt = createBolt({ url: "bolt://127.0.0.1:1" });
    const location = "bolt://127.0.0.1:1";
    const away = { code: "unavailable", message: "The graph store cannot be reached.", location };
    await expect(bolt.read("RETURN 1", {})).rejects.toMatchObject(away);
    await expect(bolt.check()).rejects.toMatchObject(away);
    await expect(bolt.define("CREATE INDEX ON :Asset(id)")).rejects.toMatchObject(away);
    await bolt.close();
  });
});

describe("Credentials", () => {
  it("Credentials are removed from the URL", () => {
    expect(splitCredentials({ url: "bolt://ada:p%40ss@graph:7687" })).toEqual({
      url: "bolt://graph:7687",
      username: "ada",
      password: "p@ss",
    });
  });

  it("Separate credentials override those in the URL", () => {
    const options = { url: "bolt+s://x:y@graph", username: "ada", password: "secret" };
    expect(splitCredentials(options)).toEqual({ url: "bolt+s://graph", username: "ada", password: "secret" });
  });

  it("Credentials may be absent", () => {
    expect(splitCredentials({ url: "neo4j://graph:7687" })).toMatchObject({ username: "", password: "" });
  });
});

describe("The schema", () => {
  it("The Memgraph schema is a list of statements that can each be repeated", async () => {
    const statements = await readSchema();
    expect(statements.length).toBeGreaterThan(10);
    for (const statement of statements) {
      expect(statement).toMatch(
        /^(CREATE INDEX ON :\w+\(\w+\)|CREATE CONSTRAINT ON \((\w):\w+\) ASSERT \2\.(id|at) IS UNIQUE)$/,
      );
    }
  });

  it("The Memgraph schema has an index beside every constraint, because a constraint creates none", async () => {
    const statements = await readSchema();
    const unique = statements.flatMap((statement) => statement.match(/(?<=CONSTRAINT ON \(\w:)\w+/) ?? []);
    expect(unique).toEqual([
      "Store",
      "WriteLine",
      "LineageChange",
      "Asset",
      "Term",
      "Removed",
      "Claim",
      "IncompleteSource",
      "Source",
      "RemovedConnector",
      "Run",
      "EdgeClaim",
      "Reference",
      "TrailStep",
      "Dependencies",
      "Check",
      "History",
      "Moment",
      "KeptNode",
      "KeptLink",
      "ResultChange",
    ]);
    for (const label of unique) {
      expect(statements).toContain(`CREATE INDEX ON :${label}(${label === "Term" ? "at" : "id"})`);
    }
  });

  it("splitStatements splits at semicolons and removes comments", () => {
    expect(splitStatements("// a; b\nCREATE\n  X;\n\n  // c\nDROP Y;\n")).toEqual(["CREATE\n  X", "DROP Y"]);
  });
});
