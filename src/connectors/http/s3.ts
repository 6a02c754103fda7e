/** Files in S3, and in storage with the same interface: MinIO, Ceph, Cloudflare R2, Google Cloud Storage. */
import { createHash } from "node:crypto";

import { AwsV4Signer } from "aws4fetch";

import type { Authorize, Explanation, Refusal, Remote } from "./remote.ts";

export interface S3Location {
  bucket: string;
  /** "" for the bucket itself. */
  key: string;
}

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  /** Comes with temporary keys. */
  sessionToken: string | undefined;
}

export interface S3Access {
  /** Null: the bucket is public, and requests are not signed. */
  keys: S3Keys | null;
  region: string;
  /** The URL of a service that is not Amazon's. */
  endpoint: string | undefined;
}

export const DEFAULT_REGION = "us-east-1";

/**
 * Reads `s3://bucket/key`. The key is taken as it stands, with no escapes.
 * Returns null if it is something else, or cannot be written as a URL.
 */
export function parseS3(text: string): S3Location | null {
  const [, bucket, key = ""] = /^s3:\/\/([a-z\d][\w.-]{1,254})(?:\/([^]*))?$/i.exec(text.trim()) ?? [];
  // URLs have no segments of this kind: they are taken as steps of a path.
  const isPlain = !key.split("/").some((segment) => segment === "." || segment === "..");
  return bucket !== undefined && isPlain && key.isWellFormed() ? { bucket, key } : null;
}

export function showS3({ bucket, key }: S3Location): string {
  return `s3://${bucket}/${key}`;
}

/**
 * The address of an object. Amazon's buckets have hosts of their own, unless their certificate would not fit the name.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function toS3Url({ bucket, key }: S3Location, { region, endpoint }: Omit<S3Access, "keys">): URL {
  const path = key.split("/").map(encodeStrictly).join("/");
  if (endpoint !== undefined) {
    const url = new URL(endpoint);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${bucket}/${path}`;
    return url;
  }
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  const isLabel = /^[a-z\d-]{1,63}$/.test(bucket);
  return new URL(isLabel ? `https://${bucket}.${host}/${path}` : `https://${host}/${bucket}/${path}`);
}

/** An object as a file. */
export function s3File(location: S3Location, access: S3Access): Remote {
  return {
    url: toS3Url(location, access),
    authorize: access.keys === null ? null : signer(access.keys, access.region),
    followsRedirects: false,
    explain: (refusal) => explain(refusal, location, access),
  };
}

/** RFC 3986 encodes more than `encodeURIComponent`. The signature is made for this form. */
function encodeStrictly(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

const EMPTY_SHA256 = createHash("sha256").digest("hex");

/** Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function signer({ sessionToken, ...keys }: S3Keys, region: string): Authorize {
  return async (url, now) => {
    const signing = new AwsV4Signer({
      ...keys,
      ...(sessionToken !== undefined && { sessionToken }),
      url: url.href,
      service: "s3",
      region,
      datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      headers: { "x-amz-content-sha256": EMPTY_SHA256 },
    });
    const { headers } = await signing.sign();
    return Object.fromEntries(headers);
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function explain({ status, headers, body }: Refusal, { bucket }: S3Location, access: S3Access): Explanation | null {
  const code = elementOf(body, "Code");
  const region = headers.get("x-amz-bucket-region") ?? elementOf(body, "Region");
  if (region !== null && region !== access.region && status <= 400) {
    return { code: "wrong_region", why: `is in the region ${region}, not in ${access.region}: set the option region` };
  }
  if (status < 400) {
    return {
      code: "wrong_region",
      why: `is somewhere else (HTTP ${status}): set the option region, or endpoint if the bucket is not Amazon's`,
    };
  }
  switch (code) {
    case "NoSuchBucket":
      return { code: "no_bucket", why: `is in a bucket that does not exist: ${bucket}` };
    case "InvalidAccessKeyId":
      return { code: "unknown_key", why: "is refused: the service does not know the access_key_id" };
    case "SignatureDoesNotMatch":
      return { code: "wrong_signature", why: "is refused: the secret_access_key is not that of the access_key_id" };
    case "ExpiredToken":
    case "InvalidToken":
      return { code: "expired_session", why: "is refused: the session_token has expired or is not valid" };
    case "RequestTimeTooSkewed":
      return { code: "wrong_clock", why: "is refused: the clock of this machine is wrong by more than 15 minutes" };
    case "AuthorizationHeaderMalformed":
      return { code: "wrong_region", why: `is refused: the region ${access.region} or the access_key_id is wrong` };
    default:
      return status === 403 || status === 401 ? denied(access) : null;
  }
}

function denied({ keys }: S3Access): Explanation {
  const why =
    keys === null
      ? "is not public, or does not exist: give access_key_id and secret_access_key"
      : "may not be read with these keys (s3:GetObject), or does not exist (only s3:ListBucket would tell)";
  return { code: "access_denied", why };
}

/** The text of an element of S3's errors, all of which are plain words. */
function elementOf(xml: string, name: "Code" | "Region"): string | null {
  return new RegExp(`<${name}>([\\w.-]{1,64})</${name}>`).exec(xml)?.[1] ?? null;
}
