/** Subscriptions. The service ends each after some minutes; then they begin again. */
import type { Client, OperationResult, TypedDocumentNode } from "urql";

/** How long nobody subscribes again, so that a service that refuses a subscription is not asked again and again. */
const PAUSE_MS = 5_000;

/** @returns what ends it for good */
export function watch<Data, Variables extends Record<string, unknown>>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  tell: (result: OperationResult<Data, Variables>) => void,
): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    stop?.();
    const { unsubscribe } = client.subscription<Data, Variables>(query, variables).subscribe((result) => {
      tell(result);
      if (!result.hasNext) timer = setTimeout(begin, PAUSE_MS);
    });
    stop = unsubscribe;
  };
  begin();
  return () => {
    clearTimeout(timer);
    stop?.();
  };
}
