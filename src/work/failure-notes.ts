/** Reports a repeated failure three times: when it begins, when its reason changes, and when it is over. */

export interface FailureNotes {
  failed(error: unknown): void;
  succeeded(): void;
}

/** @param parts `onError` is called for the first of several failures in a row with one reason */
export function createFailureNotes(parts: { onError: (error: unknown) => void; onRecovery: () => void }): FailureNotes {
  let reason: string | null = null;
  return {
    failed(error) {
      const isNew = String(error) !== reason;
      reason = String(error);
      if (isNew) parts.onError(error);
    },
    succeeded() {
      if (reason === null) return;
      reason = null;
      parts.onRecovery();
    },
  };
}
