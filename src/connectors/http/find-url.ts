/** Reads the location of a source as an http(s) URL. Returns null if it is a path or another URL. */
export function findUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && isHttp(url) ? url : null;
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** Whether the location of a source is a path. Everything that begins like a URL is none. */
export function isPath(text: string): boolean {
  return !/^\s*[a-z][a-z\d+.-]*:\/\//i.test(text);
}
