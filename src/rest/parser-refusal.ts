/** Says in our words why Node's HTTP parser refused a request. */
import { AppError } from "../errors.ts";

/** What `clientError` hands over; see https://nodejs.org/api/http.html#event-clienterror. */
export interface ParserError extends Error {
  code?: string;
  reason?: string;
  /** How far the parser came in the packet. */
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** Refusals with a status of their own; all others are 400. */
const REFUSALS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time." },
};

/** The error to answer, and the status, which the error's code alone does not tell. */
export interface Refusal {
  error: AppError;
  status: number;
}

/** Says it in our words. */
export function toParserRefusal(parserError: ParserError): Refusal {
  if (isAboutAuthorization(parserError)) {
    const error = new AppError("invalid_auth_header", "The Authorization header is malformed.");
    return { error, status: error.status };
  }
  const reason = `This is no well-formed HTTP request: ${parserError.reason ?? parserError.code ?? "it ended early"}.`;
  const { status, message } = REFUSALS[parserError.code ?? ""] ?? { status: 400, message: reason };
  return { error: new AppError("bad_request", message), status };
}

/**
 * Whether the parser stopped in the value of an Authorization header: on its line,
 * or on a line after it that is no header, as a token with a line break in it makes one.
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
