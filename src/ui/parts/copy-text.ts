import { showToast } from "./toast.tsx";

/**
 * Copies a text, and says so.
 * @param what what is copied, such as `The SQL`
 */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    // Browsers have no clipboard for pages that come over plain HTTP.
    if (navigator.clipboard === undefined) copyBySelection(text);
    else await navigator.clipboard.writeText(text);
    showToast(`${what} is copied.`);
  } catch {
    showToast("The browser does not let this page copy.", "bad");
  }
}

function copyBySelection(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("the browser refuses to copy");
}
