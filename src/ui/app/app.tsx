/** What is shown: the way in, or the workspace. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { cacheExchange, Client, fetchExchange, mapExchange, Provider } from "urql";
import { Redirect, useLocation } from "wouter";

import { Button } from "../parts/button.tsx";
import { HintProvider } from "../parts/marks.tsx";
import { WorkspaceContext, Panel } from "../parts/page.tsx";
import { ExpiredDialog, LoginPage } from "../pages/login/login-page.tsx";
import { HOME } from "./home.ts";
import { loadSession, noteRefusedSession, sessionStore } from "./session/session.ts";
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
  if (session.status === "loading") {
    return (
      // As in `index.html`, where it stands until this program is there.
      <div className="screen late" role="status">
        Loading the workspace …
      </div>
    );
  }
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

/** The GraphQL client. The session's cookie authenticates it. */
function createClient(): Client {
  return new Client({
    url: "/graphql",
    preferGetMethod: false,
    // As server-sent events, by a POST like any other: it has the session's cookie and its CSRF token.
    fetchSubscriptions: true,
    exchanges: [
      mapExchange({
        onResult(result) {
          const status: unknown = result.error?.response?.status;
          // 403 too: another tab may have logged in as somebody else, which has another proof.
          if (status === 401 || status === 403) noteRefusedSession();
        },
      }),
      cacheExchange,
      fetchExchange,
    ],
    fetchOptions: () => {
      const state = sessionStore.get();
      // With the proof of a session that has ended, a request is not taken for one of a stranger who tries tokens.
      return state.status === "in" || state.status === "expired"
        ? { headers: { "X-CSRF-Token": state.session.csrf_token } }
        : {};
    },
  });
}
