/** The addresses and signatures of requests for S3. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseS3, signer, toS3Url } from "../../../../src/connectors/http/s3.ts";
import { present } from "../../../support/present.ts";
import { isSignedWith, signatureOf } from "../../../support/signature-v4.ts";

const AT = new Date("2013-05-24T00:00:00Z");
/** The keys of Amazon's examples. */
const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const KEYS = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: SECRET, sessionToken: undefined };
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples" */
const EXAMPLES = [
  ["/?lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"],
  ["/?max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"],
] as const;

describe("Amazon's example of a signature", () => {
  it.each(EXAMPLES)("The request for %s has the signature of Amazon's example", async (target, signature) => {
    const url = new URL(target, "https://examplebucket.s3.amazonaws.com");
    const headers = await signer(KEYS, "us-east-1")(url, AT);
    expect(headers["authorization"]).toMatch(new RegExp(`Signature=${signature}$`));
  });

  it.each(EXAMPLES)("The test server computes for %s the signature of Amazon's example", (target, signature) => {
    const headers = {
      host: "examplebucket.s3.amazonaws.com",
      "x-amz-content-sha256": EMPTY,
      "x-amz-date": "20130524T000000Z",
      authorization: `AWS4-HMAC-SHA256 Credential=${KEYS.accessKeyId}/20130524/us-east-1/s3/aws4_request`,
    };
    const signed = ["host", "x-amz-content-sha256", "x-amz-date"];
    expect(signatureOf({ method: "GET", target, headers }, signed, SECRET)).toBe(signature);
  });
});

it("The request for any key is signed as a server reads it", async () => {
  const segment = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text !== "." && text !== "..");
  const keys = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/"));
  const endpoints = fc.constantFrom(undefined, "http://127.0.0.1:9000", "https://storage.example.com/v1/s3/");
  await fc.assert(
    fc.asyncProperty(keys, endpoints, async (key, endpoint) => {
      const location = parseS3(`s3://artifacts/${key}.json`);
      fc.pre(location !== null);
      const url = toS3Url(present(location), { region: "eu-west-1", endpoint });
      const headers = { host: url.host, ...(await signer({ ...KEYS, sessionToken: "s" }, "eu-west-1")(url, AT)) };
      expect(isSignedWith({ method: "GET", target: url.pathname + url.search, headers }, SECRET)).toBe(true);
      expect(decodeURIComponent(url.pathname).endsWith(`/${present(location).key}`)).toBe(true);
    }),
  );
});

describe("Addresses of objects", () => {
  it.each([
    ["s3://my-bucket/a/m.json", { region: "eu-west-1" }, "https://my-bucket.s3.eu-west-1.amazonaws.com/a/m.json"],
    ["s3://my.bucket/m.json", { region: "eu-west-1" }, "https://s3.eu-west-1.amazonaws.com/my.bucket/m.json"],
    ["s3://bucket/m.json", { region: "cn-north-1" }, "https://bucket.s3.cn-north-1.amazonaws.com.cn/m.json"],
    ["s3://bucket/a+b c?#%.json", { region: "auto" }, "https://bucket.s3.auto.amazonaws.com/a%2Bb%20c%3F%23%25.json"],
    ["s3://bucket/(1)'s!*.json", {}, "https://bucket.s3.us-east-1.amazonaws.com/%281%29%27s%21%2A.json"],
    ["s3://b1/m.json", { endpoint: "https://minio.example.com:9000" }, "https://minio.example.com:9000/b1/m.json"],
    ["s3://b1/m.json", { endpoint: "https://x.example.com/v1/s3/" }, "https://x.example.com/v1/s3/b1/m.json"],
  ])("The address of %s follows the region and endpoint", (text, access, expected) => {
    const location = present(parseS3(text));
    expect(toS3Url(location, { region: "us-east-1", endpoint: undefined, ...access }).href).toBe(expected);
  });

  it.each([
    "s3://",
    "s3:///key",
    "s3://a@evil.example/key",
    "s3://evil.example:80/key",
    "s3://b/../other/key",
    "s3://b/./k",
  ])("The address %s is refused", (text) => {
    expect(parseS3(text)).toBeNull();
  });
});
