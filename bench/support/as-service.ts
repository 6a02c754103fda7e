/** How `bin/tributary.js` begins the service: settings of V8 and malloc that count from the beginning of a process. */
import settings from "../../bin/process.json" with { type: "json" };

export const AS_SERVICE = { execArgv: settings.options, env: { ...process.env, ...settings.environment } };
