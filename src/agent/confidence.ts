/**
 * How far an answer can be relied on: how surely its subject was found × the share of the question's words about
 * something that the answer used × the share of its claims that the graph confirms. 0 to 1, by two places.
 */

/** Below it nothing is claimed: the question is declined. */
export const DECLINED = 0.2;
/** What a declined question has at most, by how near the nearest asset was. */
const MOST_DECLINED = 0.15;

/**
 * @param sureness of the subjects, each 0 to 1; [] where a question needs none, such as how many models there are
 * @param used words of the question about something that the answer took up
 * @param all of these words
 * @param confirmed the share of the answer's claims that the graph confirms: all, where the agent itself made them
 */
export function judge(sureness: readonly number[], used: number, all: number, confirmed = 1): number {
  const found = Math.min(1, ...sureness);
  const share = all === 0 ? 1 : used / all;
  return round(found * share * confirmed);
}

export function judgeDeclined(nearest: number): number {
  return round(MOST_DECLINED * nearest);
}

function round(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
}
