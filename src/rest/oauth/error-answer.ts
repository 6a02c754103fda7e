/** The translator of errors for OAuth: whatever is thrown on the way to a token, in the form of RFC 6749, section 5.2. */
import { OauthError, type OauthErrorCode } from "../../auth/oauth-error.ts";
import type { AppError, ErrorCode } from "../../errors.ts";
import { type ErrorAnswer, toErrorHeaders } from "../error-answer.ts";

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

/** A description holds printable ASCII, and neither double quotes nor backslashes. */
function toDescription(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/gu, "?");
}
