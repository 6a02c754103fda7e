/** What the page does if one of its files is gone, as after an upgrade. */

/** Set in this tab from such a reload until a page has loaded. */
const KEY = "tributary.reloaded";

/** Loads the page again: its new version names the new files. If that does not help, the page's boundary says so. */
export function reloadOnce(): void {
  if (sessionStorage.getItem(KEY) !== null) return;
  sessionStorage.setItem(KEY, "1");
  location.reload();
}

/** Called when a page has loaded, so that the next upgrade is noticed too. */
export function noteLoadedPage(): void {
  sessionStorage.removeItem(KEY);
}
