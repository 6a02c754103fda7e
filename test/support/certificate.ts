/** A certificate for tests of servers that encrypt. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A self-signed certificate for localhost, made by the program that Debian's PostgreSQL needs too. */
export function makeCertificate(): { folder: string; certificate: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "tributary-tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", [...make, ...subject, "-keyout", key, "-out", certificate], { stdio: "pipe" });
  return { folder, key, certificate };
}
