/** Runs before each test file. Properties without an own number of runs run a hundred times in the full project. */
import fc from "fast-check";

import { propertyRuns } from "./depth.ts";

fc.configureGlobal(propertyRuns(100));
