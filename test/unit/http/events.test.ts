import { expect, it } from "vitest";

import { systemCountdown } from "../../../src/clock.ts";
import { createEventStreams } from "../../../src/http/answer/events.ts";
import type { RestContext } from "../../../src/http/state.ts";
import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";

it("No subscription can be opened after all were ended", () => {
  const streams = createEventStreams({
    countdown: systemCountdown,
    turns: createEventLoopScheduler(),
    maxAnswerBytes: 1_000,
  });
  streams.endAll();
  expect(() => streams.open({} as RestContext, async () => {})).toThrow("The service is about to stop.");
});
