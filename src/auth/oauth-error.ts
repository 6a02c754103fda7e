/** The errors of OAuth (RFC 6749, section 5.2). */
import { AppError } from "../errors.ts";

/** The codes of the RFC that the service uses. */
export type OauthErrorCode = "invalid_request" | "invalid_client" | "invalid_scope" | "unsupported_grant_type";

export class OauthError extends AppError {
  readonly oauthCode: OauthErrorCode;

  constructor(oauthCode: OauthErrorCode, message: string) {
    super(oauthCode === "invalid_client" ? "unauthorized" : "bad_request", message);
    this.oauthCode = oauthCode;
  }
}
