/** Returns what a client sent as `X-Request-Id` if it is a UUID. Returns null if it is anything else. */
export function toRequestId(given: string): string | null {
  return UUID.test(given) ? given : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
