/** Notice rules that mail to a real mail server on this machine. */
import type { MailSettings } from "../../src/settings/settings.ts";
import { openTestMetadata } from "./metadata-store.ts";
import { NO_GRAPH } from "./no-graph.ts";
import { openNotices } from "./notices.ts";
import { type ReceivedMail, serveSmtp } from "./smtp-server.ts";

export function settingsOf(port: number): MailSettings {
  return { host: "127.0.0.1", port, isSecure: false, user: "", password: null, from: "Tributary <it@example.com>" };
}

export async function openMails(options: Parameters<typeof serveSmtp>[0] = {}) {
  const server = await serveSmtp(options);
  const metadata = await openTestMetadata();
  const { store, workspace } = metadata;
  const notices = openNotices({ ...metadata, graph: NO_GRAPH }, {}, settingsOf(server.port));
  const addPerson = async (email: string) => {
    const { id } = await store.users.create({ workspaceId: workspace.id, email, role: "analyst" });
    await store.logins.noteLogin(workspace.id, id);
    return id;
  };
  return {
    ...metadata,
    ...notices,
    server,
    addPerson,
    mailTo: (to: string, rule: Partial<Parameters<typeof notices.addRule>[0]> = {}) =>
      notices.addRule({ channel: "email", to, ...rule }),
    happen: (name: string) =>
      store.audit.append({
        workspaceId: workspace.id,
        action: "certification_lapsed",
        actor: "connector shop",
        source: "service",
        subject: `asset ${name}`,
        details: { metric: name, note: "It changed." },
      }),
    [Symbol.asyncDispose]: server.stop,
  };
}

export function decode({ raw }: ReceivedMail): string {
  return raw
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([\dA-F]{2})/g, (_all, code: string) => String.fromCodePoint(parseInt(code, 16)));
}
