import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import "./theme/tokens.css";
import "./theme/base.css";
import "./theme/shared.css";
import { App } from "./app/app.tsx";
import { reloadOnce } from "./app/shell/page-boundary.tsx";
import { loadSession } from "./app/session/session.ts";

// After an upgrade, files that this page was to load later are gone.
addEventListener("vite:preloadError", reloadOnce);

void loadSession();

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
