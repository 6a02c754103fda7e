import { showToast } from "./toast.tsx";

/**
 * Copies a text, and says so.
 * @param what what is copied, such as `The SQL`
 */
export async function copyText(text: string, what: string): Promise<void> {
  if (await tryCopy(text)) showToast(`${what} is copied.`);
  else showToast("The browser does not permit copying. Select the text and copy it.", "bad");
}

/**
 * Browsers have a clipboard for pages over https and on this machine; others can copy what is selected.
 * @param near an element of the open dialog, if there is one: outside of it nothing can be selected
 * @returns whether it is copied
 */
export async function tryCopy(text: string, near?: Element): Promise<boolean> {
  if (isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not permitted; the other way may be.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  // Set by a property, which the page's policy permits.
  field.style.position = "fixed";
  field.style.opacity = "0";
  if (near === undefined) document.body.append(field);
  else near.after(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}
