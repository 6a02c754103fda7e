import { describe, expect, it } from "vitest";

import { findServerFault } from "../../../../src/connectors/postgres/server.ts";

/** The answers to `version()`. */
const OTHERS = {
  "Amazon Redshift":
    "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.77467",
  CockroachDB: "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15 21:28:29, go1.22.2)",
  Greenplum: "PostgreSQL 12.12 (Greenplum Database 7.1.0 build commit:e7c2b1f) on x86_64-pc-linux-gnu, compiled by gcc",
  YugabyteDB: "PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 15.0.3, 64-bit",
  Materialize: "PostgreSQL 9.5.0 on x86_64-unknown-linux-gnu (Materialize v0.100.0)",
  RisingWave: "PostgreSQL 13.14.0-RisingWave-2.1.0 (3ea4ea7)",
};

describe("Versions of a server", () => {
  it.each(Object.entries(OTHERS))("findServerFault recognises %s, which has another catalog", (product, version) => {
    expect(findServerFault(version)).toBe(
      `is of ${product}, not of PostgreSQL: its catalog is another one, which is not read`,
    );
  });

  it.each([
    "PostgreSQL 13.16 on aarch64-unknown-linux-gnu, compiled by gcc (GCC) 9.5.0, 64-bit",
    "PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14+deb12u1) 12.2.0, 64-bit",
    "PostgreSQL 18.0 on x86_64-pc-linux-musl, compiled by gcc (Alpine 14.2.0) 14.2.0, 64-bit",
    "PostgreSQL 19beta1 on x86_64-pc-linux-gnu",
    "PostgreSQL 16.4 (EnterpriseDB Advanced Server 16.4.1) on x86_64-pc-linux-gnu",
  ])("findServerFault accepts %s", (version) => {
    expect(findServerFault(version)).toBeNull();
  });

  it("findServerFault refuses a version without the functions that are asked, and a text without a version", () => {
    expect(findServerFault("PostgreSQL 11.22 on x86_64-pc-linux-gnu")).toMatch(/PostgreSQL 11, and only 12 and later/);
    expect(findServerFault("PostgreSQL 9.6.24 on x86_64-pc-linux-gnu")).toMatch(/PostgreSQL 9, and only 12 and later/);
    expect(findServerFault("8.0.35")).toBe("is not of PostgreSQL, as far as its version() says");
  });
});
