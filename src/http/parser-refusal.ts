/** Translates errors of Node's HTTP parser. */
import { AppError } from "../errors.ts";
import { toRequestId } from "./request-scope.ts";

/** The error of the event `clientError`: https://nodejs.org/api/http.html#event-clienterror. */
export interface ParserError extends Error {
  code?: string;
  /** The position in the packet at which the parser stopped. */
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** Errors with their own status. All others get 400. */
const REFUSALS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time." },
};

const MALFORMED = { status: 400, message: "This is no well-formed HTTP request." };

/** The error and the status of the answer. The status may differ from that of the error's code. */
export interface Refusal {
  error: AppError;
  status: number;
}

export function toParserRefusal(parserError: ParserError): Refusal {
  if (isAboutAuthorization(parserError)) {
    const error = new AppError("invalid_auth_header", "The Authorization header is malformed.");
    return { error, status: error.status };
  }
  const { status, message } = REFUSALS[parserError.code ?? ""] ?? MALFORMED;
  return { error: new AppError("bad_request", message), status };
}

/** The request's own id, if the parser has read it. */
export function findRequestId({ rawPacket, bytesParsed = 0 }: ParserError): string | null {
  const read = rawPacket?.toString("latin1", 0, bytesParsed) ?? "";
  // The packet may begin with other requests.
  const headers = read.slice(read.lastIndexOf("\r\n\r\n") + 1);
  return toRequestId(/^x-request-id:[ \t]*(\S+)[ \t]*$/im.exec(headers)?.[1] ?? "");
}

/**
 * Whether the parser stopped in an Authorization header: on its line, or on a following line that is not a header,
 * because the token contains a line break.
 */
function isAboutAuthorization({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (rawPacket === undefined || code === "HPE_HEADER_OVERFLOW") return false;
  const before = rawPacket.toString("latin1", 0, bytesParsed).split(/\r?\n/);
  const [rest = ""] = rawPacket.toString("latin1", bytesParsed).split(/[\r\n]/, 1);
  const line = `${before.at(-1)}${rest}`;
  const isHeader = /^[^\s:]+:/.test(line);
  return AUTHORIZATION.test(line) || (!isHeader && AUTHORIZATION.test(before.at(-2) ?? ""));
}

const AUTHORIZATION = /^authorization\s*:/i;
