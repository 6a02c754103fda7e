/** Leads to the first page of the settings that the user has a use for. */
import { Redirect } from "wouter";

import { useIsAdmin } from "../../app/session/use-session.ts";

export function SettingsHome() {
  return <Redirect to={useIsAdmin() ? "/settings/api" : "/settings/account"} replace />;
}
