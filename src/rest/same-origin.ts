/** Compares origins as a browser sends them with the service's own. */
import { isLoopback } from "../limits/loopback.ts";

/** Whether two origins are the same service. One on this machine has several names, such as `localhost` and `127.0.0.1`. */
export function isSameOrigin(origin: string, own: string): boolean {
  if (origin === own) return true;
  const [given, ours] = [URL.parse(origin), new URL(own)];
  if (given === null || given.origin !== origin || given.protocol !== ours.protocol) return false;
  return isLoopback(given.hostname) && isLoopback(ours.hostname) && given.port === ours.port;
}
