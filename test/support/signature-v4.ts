/**
 * Checks Signature Version 4 as a server does, only from the request. It shares no code with the signer.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHash, createHmac } from "node:crypto";

export interface SignedRequest {
  method: string;
  /** The path as it was sent, with its query. */
  target: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Credential {
  accessKeyId: string;
  date: string;
  region: string;
  service: string;
}

/** Returns null if the request is not signed. */
export function findCredential({ headers }: SignedRequest): Credential | null {
  const [, scope = ""] = /Credential=([^,]+)/.exec(String(headers["authorization"] ?? "")) ?? [];
  const [accessKeyId = "", date = "", region = "", service = ""] = scope.split("/");
  return accessKeyId === "" ? null : { accessKeyId, date, region, service };
}

export function isSignedWith(request: SignedRequest, secret: string): boolean {
  const given = String(request.headers["authorization"] ?? "");
  const [, names = "", signature = ""] = /SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(given) ?? [];
  const signed = names.split(";");
  const mustBeSigned = Object.keys(request.headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
  return mustBeSigned.every((name) => signed.includes(name)) && signature === signatureOf(request, signed, secret);
}

export function signatureOf(request: SignedRequest, signed: readonly string[], secret: string): string {
  const { method, target, headers } = request;
  const credential = findCredential(request);
  if (credential === null) throw new Error("the request is not signed");
  const [path = "", query = ""] = target.split("?");
  const value = (name: string): string => String(headers[name] ?? "").trim();
  const pairs = query === "" ? [] : query.split("&").map((pair) => (pair.includes("=") ? pair : `${pair}=`));
  const canonical = [
    method,
    path.split("/").map(encodeAnew).join("/"),
    pairs.toSorted().join("&"),
    ...signed.map((name) => `${name}:${value(name)}`),
    "",
    signed.join(";"),
    value("x-amz-content-sha256"),
  ].join("\n");
  const scope = [credential.date, credential.region, credential.service, "aws4_request"].join("/");
  const hashed = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", value("x-amz-date"), scope, hashed].join("\n");
  const key = scope
    .split("/")
    .reduce<Buffer | string>((with_, part) => createHmac("sha256", with_).update(part).digest(), `AWS4${secret}`);
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Amazon's UriEncode of the decoded segment: byte by byte. */
function encodeAnew(segment: string): string {
  return [...Buffer.from(decodeURIComponent(segment))]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_.~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
