/** All attacks, one named entry each. */
import type { Attack } from "./attack.ts";
import { DOCUMENT_ATTACKS } from "./documents.ts";
import { INPUT_ATTACKS } from "./inputs.ts";
import { LOGIN_ATTACKS } from "./logins.ts";
import { REST_ATTACKS } from "./rest.ts";
import { UPLOAD_ATTACKS } from "./uploads.ts";
import { WALK_ATTACKS } from "./walks.ts";

export const ATTACKS: readonly Attack[] = [
  ...INPUT_ATTACKS,
  ...DOCUMENT_ATTACKS,
  ...WALK_ATTACKS,
  ...REST_ATTACKS,
  ...LOGIN_ATTACKS,
  ...UPLOAD_ATTACKS,
];
