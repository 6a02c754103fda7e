/** Runs work when all work that was asked for before is done, whether that succeeded or failed. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

export function createOneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const answer = last.then(work);
    last = answer.catch(() => {});
    return answer;
  };
}
