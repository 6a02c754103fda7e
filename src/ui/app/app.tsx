/** What is shown: the way in, or the workspace. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Provider } from "urql";
import { Redirect, useLocation } from "wouter";

import { Button } from "../parts/button.tsx";
import { HintProvider } from "../parts/badge.tsx";
import { WorkspaceContext } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { ExpiredDialog } from "../pages/login/expired-dialog.tsx";
import { LoginPage } from "../pages/login/login-page.tsx";
import { createClient } from "./client.ts";
import { HOME } from "./home.ts";
import { loadSession, sessionStore } from "./session/session-store.ts";
import { PageBoundary } from "./shell/page-boundary.tsx";
import { Shell } from "./shell/shell.tsx";

const WelcomePage = lazy(() => import("../pages/welcome/welcome-page.tsx").then((it) => ({ default: it.WelcomePage })));

export function App() {
  const [path, navigate] = useLocation();
  const session = sessionStore.use();
  if (path === "/welcome") {
    return (
      <PageBoundary>
        <Suspense>
          <WelcomePage onDone={() => navigate(HOME, { replace: true })} />
        </Suspense>
      </PageBoundary>
    );
  }
  if (session.status === "loading") return <div className="screen" role="status" aria-label="Loading" />;
  if (session.status === "unknown") {
    return (
      <main className="screen">
        <Panel
          isPage
          icon="warning"
          title="The workspace cannot be opened"
          action={<Button label="Try again" onClick={() => void loadSession()} />}
        >
          {session.fault}
        </Panel>
      </main>
    );
  }
  if (session.status === "out") return <LoginPage login={session.login} />;
  if (path === "/login") return <Redirect to={HOME} replace />;
  // Another user or workspace must see nothing of what was cached.
  return (
    <Workspace key={`${session.session.user.id} ${session.session.workspace.id}`} name={session.session.workspace.name}>
      {session.status === "expired" && <ExpiredDialog session={session.session} login={session.login} />}
    </Workspace>
  );
}

function Workspace({ name, children }: { name: string; children: ReactNode }) {
  const [client] = useState(createClient);
  return (
    <Provider value={client}>
      <WorkspaceContext value={name}>
        <HintProvider>
          <Shell />
          {children}
        </HintProvider>
      </WorkspaceContext>
    </Provider>
  );
}
