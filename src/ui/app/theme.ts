/** The theme: the system's, or one that was chosen. `public/theme.js` applies a choice before the first paint. */
import { createStore } from "../parts/store.ts";

export type Theme = "system" | "light" | "dark";

const KEY = "tributary.theme";
const chosen = document.documentElement.dataset["theme"];
const store = createStore<Theme>(chosen === "light" || chosen === "dark" ? chosen : "system");

export const useTheme = store.use;

export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset["theme"] = theme;
  }
  store.set(theme);
}
