/**
 * Checks the `Host` header (RFC 9112, 3.2). There must be exactly one, because a proxy might use another one than we
 * do.
 */
import { isIPv6 } from "node:net";

import { badField } from "../errors.ts";
import type { Check } from "./state.ts";

/** RFC 3986, 3.2.2 and 3.2.3; it may be empty (RFC 9110, 7.2). */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * Runs before the token is checked, as Node's own parser does.
 * @throws AppError `bad_request`
 */
export const refuseMalformedHosts: Check = ({ req }) => {
  const fault = faultOf(req.headersDistinct["host"] ?? [], req.httpVersionMinor);
  if (fault !== null) throw badField("Host", fault);
};

function faultOf(hosts: readonly string[], httpVersionMinor: number): string | null {
  const [host] = hosts;
  if (host === undefined) return httpVersionMinor === 0 ? null : "is required";
  if (hosts.length > 1) return "is given more than once";
  const found = HOST.exec(host);
  const isHost = found !== null && (found[1] === undefined || isIPv6(found[1]));
  return isHost ? null : "is no host, with or without a port";
}
