/** Says why a source could not be asked, in words for people. */
import { BadRedirect, InsecureSource } from "./fetch-source.ts";
import { PrivateAddress } from "./source-addresses.ts";
import { UnknownEncoding } from "./unpack.ts";

export interface ConnectionFault {
  /** That of a `CrawlError`. */
  code: string;
  /** The rest of a sentence that begins with the source's name. It contains no address and no secret. */
  why: string;
  retryable: boolean;
}

/** @param error what `fetchSource` or its answer's body threw */
export function toConnectionFault(error: unknown): ConnectionFault {
  if (error instanceof BadRedirect) return { code: "bad_redirect", why: error.message, retryable: false };
  if (error instanceof UnknownEncoding) {
    const why = `has an unknown compression (Content-Encoding: ${error.message})`;
    return { code: "unknown_encoding", why, retryable: false };
  }
  if (error instanceof PrivateAddress) {
    const why = "is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES";
    return { code: "private_address", why, retryable: false };
  }
  if (error instanceof InsecureSource) {
    const why =
      "is at an http address, where others could read the token: use https, or list the host in INSECURE_HOSTS";
    return { code: "insecure_source", why, retryable: false };
  }
  return { code: "unreachable", why: `cannot be reached: ${causeOf(error)}`, retryable: true };
}

/** The error's code, such as `ECONNREFUSED`. Its message is not shown, because it may contain a path or an address. */
function causeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "the connection failed";
}
