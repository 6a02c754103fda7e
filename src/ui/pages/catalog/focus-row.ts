/** Moves the focus among the rows of the list; from elsewhere, to the first one. */
export function focusRow(step: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>("[data-row]"));
  const place = rows.findIndex((row) => row === document.activeElement);
  const next = rows[place === -1 ? 0 : place + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
