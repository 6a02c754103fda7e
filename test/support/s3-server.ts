/** Storage that answers as S3 does: by the path of the bucket, with its errors, and with the signature checked. */
import type { RequestListener, ServerResponse } from "node:http";

import { serveHttp, type NotingServer } from "./http-server.ts";
import { findCredential, isSignedWith } from "./signature-v4.ts";

export const S3_KEYS = { access_key_id: "AKIDEXAMPLE", secret_access_key: "s3cr3t/+key" };

export interface Bucket {
  objects: Record<string, string>;
  isPublic?: boolean;
  /** Whether the keys may list the bucket, so that it answers which object is missing. */
  listable?: boolean;
  region?: string;
}

interface S3Options {
  buckets: Record<string, Bucket>;
  /** The service's region. */
  region?: string;
  sessionToken?: string;
  now?: () => Date;
  /** Answers instead of the storage, if it returns true. */
  instead?: (response: ServerResponse, count: number) => boolean;
}

const QUARTER_MS = 15 * 60_000;

export async function startS3(options: S3Options): Promise<NotingServer> {
  let count = 0;
  return serveHttp((request, response) => {
    count += 1;
    if (options.instead?.(response, count) !== true) answer(options)(request, response);
  });
}

function answer({ buckets, region = "eu-west-1", sessionToken, now = () => new Date() }: S3Options): RequestListener {
  return (request, response) => {
    const refuse = (status: number, code: string, more = "", headers = {}): void => {
      const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message>${more}</Error>`;
      response.writeHead(status, { "content-type": "application/xml", ...headers }).end(xml);
    };
    const { url: target = "", method = "", headers } = request;
    const [, name = "", ...segments] = target.split("/");
    const bucket = buckets[decodeURIComponent(name)];
    const signed = { method, target, headers };
    const credential = findCredential(signed);
    if (credential !== null) {
      if (credential.accessKeyId !== S3_KEYS.access_key_id) return refuse(403, "InvalidAccessKeyId");
      if (credential.region !== region) {
        return refuse(400, "AuthorizationHeaderMalformed", `<Region>${region}</Region>`);
      }
      if (!isSignedWith(signed, S3_KEYS.secret_access_key)) return refuse(403, "SignatureDoesNotMatch");
      const at = String(headers["x-amz-date"]).replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
      if (!(Math.abs(Date.parse(at) - now().getTime()) < QUARTER_MS)) return refuse(403, "RequestTimeTooSkewed");
      if (headers["x-amz-security-token"] !== sessionToken) return refuse(400, "ExpiredToken");
    }
    if (bucket === undefined) return refuse(404, "NoSuchBucket");
    if (bucket.region !== undefined && bucket.region !== region) {
      return refuse(301, "PermanentRedirect", "", { "x-amz-bucket-region": bucket.region });
    }
    if (credential === null && bucket.isPublic !== true) return refuse(403, "AccessDenied");
    const object = bucket.objects[decodeURIComponent(segments.join("/"))];
    if (object !== undefined) return void response.end(object);
    return bucket.listable === false ? refuse(403, "AccessDenied") : refuse(404, "NoSuchKey");
  };
}
