/** Where a browser may be sent after single sign-on: only to paths of this service, never to another site. */

/** Any origin. The path must not lead away from it. */
const HERE = "https://here.invalid";
const MAX_CHARACTERS = 2_000;

/** @returns the path with its query and fragment; `/` if the text is anything else than a path of this service */
export function toReturnPath(text: string | undefined): string {
  // Browsers go to another host for `//host` and `/\host`, also if tabs or line breaks are in between.
  if (text === undefined || text.length > MAX_CHARACTERS || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return "/";
  const url = URL.parse(text, HERE);
  if (url === null || url.origin !== HERE || url.pathname.startsWith("//")) return "/";
  // A login must not lead to another login.
  if (url.pathname === "/login" || url.pathname.startsWith("/auth/")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
