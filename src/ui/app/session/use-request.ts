/** Requests of the browser login behind a form. */
import { useState } from "react";

import { describeFault } from "./api.ts";

/** @param send sends what the form says */
export function useRequest(send: (form: FormData) => Promise<void>, describe = describeFault) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await send(form);
    } catch (error) {
      setFault(describe(error));
    }
    setBusy(false);
  };
  return { submit: (form: FormData) => void submit(form), isBusy, fault };
}
