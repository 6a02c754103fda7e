/** Before each test file. Properties that do not say how often they run, run a hundred times in the full project. */
import fc from "fast-check";

import { propertyRuns } from "./depth.ts";

fc.configureGlobal(propertyRuns(100));
