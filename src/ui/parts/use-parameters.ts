import { useSearchParams } from "wouter";

/** The parameters of the URL, so that a link shows the same page. */
export function useParameters() {
  const [parameters, setParameters] = useSearchParams();
  return {
    parameters,
    /** @param value null or an empty text removes it @param replace false if "back" undoes it */
    setParameter(name: string, value: string | null, replace = false): void {
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          if (value) after.set(name, value);
          else after.delete(name);
          return after;
        },
        { replace },
      );
    },
    clear: (): void => setParameters({}),
  };
}
