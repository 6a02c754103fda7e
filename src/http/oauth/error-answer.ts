/** Translates every error of the token endpoint into the form of RFC 6749, section 5.2. */
import { OauthError, type OauthErrorCode } from "../../auth/oauth-error.ts";
import type { AppError, ErrorCode } from "../../errors.ts";
import { type ErrorAnswer, toErrorAnswer } from "../answer/error-answer.ts";

/** The RFC's codes for our codes. All other codes are used unchanged; the RFC says nothing about their statuses. */
const OAUTH_CODES: Partial<Record<ErrorCode, OauthErrorCode>> = {
  bad_request: "invalid_request",
  unauthorized: "invalid_client",
};

/**
 * The body has the fields of the RFC and of the specification: `error`, `error_description`, and the same as `message`.
 */
export function toOauthErrorAnswer(error: AppError): ErrorAnswer {
  const { code, details, status } = error;
  const oauthCode = error instanceof OauthError ? error.oauthCode : (OAUTH_CODES[code] ?? code);
  const message = toDescription(error.message);
  return {
    status,
    headers: {
      ...toErrorAnswer(error).headers,
      // Also if the credentials were in the form: every 401 must name a scheme (RFC 9110, section 15.5.2).
      ...(status === 401 && { "WWW-Authenticate": 'Basic realm="tributary"' }),
      Pragma: "no-cache",
    },
    body: JSON.stringify({ error: oauthCode, error_description: message, message, details }),
  };
}

/** A description may contain only printable ASCII, without double quotes and backslashes. */
function toDescription(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/gu, "?");
}
