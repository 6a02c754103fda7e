/** The errors of OAuth (RFC 6749, section 5.2), and the translator of whatever is thrown on the way to a token. */
import { AppError, type ErrorCode } from "../../errors.ts";
import { type ErrorAnswer, toErrorHeaders } from "../error-answer.ts";

/** The codes of the RFC that this endpoint has a use for. */
type OauthErrorCode = "invalid_request" | "invalid_client" | "invalid_scope" | "unsupported_grant_type";

export class OauthError extends AppError {
  readonly oauthCode: OauthErrorCode;

  constructor(oauthCode: OauthErrorCode, message: string) {
    super(oauthCode === "invalid_client" ? "unauthorized" : "bad_request", message);
    this.oauthCode = oauthCode;
  }
}

/** What the service calls otherwise than the RFC. All other codes are our own, with statuses that the RFC leaves open. */
const OAUTH_CODES: Partial<Record<ErrorCode, OauthErrorCode>> = {
  bad_request: "invalid_request",
  unauthorized: "invalid_client",
};

/** The RFC's body and the specification's in one: `error`, `error_description`, and the same as `message`. */
export function toOauthErrorAnswer(error: AppError): ErrorAnswer {
  const { code, details, status } = error;
  const oauthCode = error instanceof OauthError ? error.oauthCode : (OAUTH_CODES[code] ?? code);
  const message = toDescription(error.message);
  return {
    status,
    headers: {
      ...toErrorHeaders(error),
      // Also where the form held the credentials: every 401 names a way in (RFC 9110, section 15.5.2).
      ...(status === 401 && { "WWW-Authenticate": 'Basic realm="tributary"' }),
      Pragma: "no-cache",
    },
    body: JSON.stringify({ error: oauthCode, error_description: message, message, details }),
  };
}

/** A description holds printable ASCII, and neither quotes nor backslashes. */
function toDescription(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/gu, "?");
}
