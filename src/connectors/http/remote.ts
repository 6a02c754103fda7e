/** Files on other machines, and how each kind of service is asked for them. */

/** Makes the headers that hold or prove a secret, for one request to this URL. They go to no other origin. */
export type Authorize = (url: URL, now: Date) => Promise<Record<string, string>>;

export interface Remote {
  url: URL;
  /** Null: the request holds no secret. */
  authorize: Authorize | null;
  /** A signature is for one address only, so a signed request cannot be redirected. */
  followsRedirects: boolean;
  /** Says why the service refuses the file, in its own terms. Returns null if the status says enough. */
  explain: (refusal: Refusal) => Explanation | null;
}

/** An answer that is not the file. */
export interface Refusal {
  status: number;
  headers: Headers;
  /** The beginning of the body. */
  body: string;
}

export interface Explanation {
  code: string;
  /** The rest of a sentence that begins with the file's name. */
  why: string;
  retryable?: boolean;
}

/** A file that any web server gives. */
export function webFile(url: URL, authorize: Authorize | null): Remote {
  return { url, authorize, followsRedirects: true, explain: () => null };
}

/** RFC 6750, 2.1. */
export function bearer(token: string): Authorize {
  return () => Promise.resolve({ authorization: `Bearer ${token}` });
}
