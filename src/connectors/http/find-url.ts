/** Reads the place of a source as a URL. Returns null if it is a path. */
export function findUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && isHttp(url) ? url : null;
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
