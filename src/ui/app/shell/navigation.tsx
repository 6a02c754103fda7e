import { Link, useLocation } from "wouter";

import { Brand } from "../../parts/brand.tsx";
import { Icon } from "../../parts/marks.tsx";
import { isCurrent, OTHER_PAGES, PAGES } from "../pages.ts";
import { NOTICES, START } from "../home.ts";
import { useSession, logOut, switchWorkspace, describeFault } from "../session/session.ts";
import { UnreadBadge } from "../unread.tsx";
import styles from "./navigation.module.css";
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuSeparator } from "../../parts/menu.tsx";
import { showToast } from "../../parts/toast.tsx";
import { createStore } from "../../parts/store.ts";

export function Navigation({ onSearch }: { onSearch: () => void }) {
  const [path] = useLocation();
  return (
    <div className={styles["navigation"]}>
      <WorkspaceName />
      <button type="button" className={`option soft ${styles["search"]}`} onClick={onSearch}>
        <Icon name="search" size={14} /> Search <kbd className="push">/</kbd>
      </button>
      <nav aria-label="Workspace">
        <ul>
          {PAGES.map(
            (page) =>
              page.icon && (
                <li key={page.path}>
                  <Link
                    href={page.path}
                    className={`option soft medium ${styles["item"]}`}
                    aria-current={isCurrent(page, path) ? "page" : undefined}
                  >
                    <Icon name={page.icon} /> {page.label}
                    {page.path === NOTICES && (
                      <span className="push">
                        <UnreadBadge />
                      </span>
                    )}
                  </Link>
                </li>
              ),
          )}
        </ul>
        <h2 className="caption">For programs</h2>
        <ul>
          {OTHER_PAGES.map(({ href, label, icon }) => (
            <li key={href}>
              <a href={href} className={`option soft medium ${styles["item"]}`} target="_blank" rel="noreferrer">
                <Icon name={icon} /> {label}
                <span className="row push faint">
                  <Icon name="external" size={12} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <UserMenu />
    </div>
  );
}

export function WorkspaceName() {
  const { workspace } = useSession();
  return (
    <p className={`row strong ${styles["workspace"]}`}>
      <Brand />
      <span className="cut" title={workspace.name}>
        {workspace.name}
      </span>
    </p>
  );
}

const THEMES = [
  { value: "system", label: "As the system", icon: "monitor" },
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
] as const;

function leave(): void {
  logOut().catch(() => showToast("You could not be logged out. Try again.", "bad"));
}

function go(workspaceId: string): void {
  switchWorkspace(workspaceId).catch((error: unknown) => {
    showToast(`The workspace cannot be opened: ${describeFault(error)}`, "bad");
  });
}

function UserMenu() {
  const { user, workspace, workspaces } = useSession();
  const theme = themes.use();
  const [, navigate] = useLocation();
  const name = user.name || user.email;
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={`option soft ${styles["user"]}`}>
          <span className={styles["initial"]} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="grow cut">{name}</span>
          <Icon name="down" size={12} />
        </button>
      }
    >
      <MenuLabel>
        {user.email} · {user.role}
      </MenuLabel>
      {workspaces.length > 1 && (
        <>
          <MenuSeparator />
          <MenuLabel>Workspace</MenuLabel>
          <MenuChoices
            value={workspace.id}
            choices={workspaces.map(({ id, name: label }) => ({ value: id, label }))}
            onChoose={go}
          />
        </>
      )}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoices value={theme} choices={THEMES} onChoose={chooseTheme} />
      <MenuSeparator />
      <MenuItem icon="user" label="Your account" onSelect={() => navigate("/settings/account")} />
      <MenuItem icon="start" label="First steps" onSelect={() => navigate(START)} />
      <MenuItem icon="logout" label="Log out" onSelect={leave} />
    </Menu>
  );
}

type Theme = "system" | "light" | "dark";

const KEY = "tributary.theme";
const chosen = document.documentElement.dataset["theme"];
const themes = createStore<Theme>(chosen === "light" || chosen === "dark" ? chosen : "system");

/** `public/theme.js` applies a choice before the first paint. */
function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset["theme"] = theme;
  }
  themes.set(theme);
}
