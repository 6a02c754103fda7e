/** `tributary user`: the people of a workspace. */
import { Argument, type Command, Option } from "commander";

import type { Origin } from "../auth/origin.ts";
import { createUser, grantPermission, revokePermission, setUserDisabled, setUserRole } from "../auth/users.ts";
import { type Permission, PERMISSIONS, ROLES, type Role } from "../metadata/records.ts";
import { getUser } from "./find.ts";
import { printLine, printTable } from "./print.ts";
import { changeWorkspace, inWorkspace, type Session, type WorkspaceOption, workspaceOption } from "./session.ts";

interface CreateOptions extends WorkspaceOption {
  email: string;
  role: Role;
}

const permissionArgument = (): Argument =>
  new Argument(
    "<permission>",
    "api:manage lets the user make, list and revoke keys, metrics:certify certify metrics",
  ).choices(PERMISSIONS);

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("create, list and change users");

  user
    .command("create")
    .description("add a user and print the id")
    .requiredOption("--email <email>", "who it is")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES).makeOptionMandatory())
    .addOption(workspaceOption())
    .action(async ({ email, role, ...options }: CreateOptions) => {
      const { id } = await changeWorkspace(options, (session, origin) => createUser(session, origin, { email, role }));
      printLine(id);
    });

  user.command("list").description("list the users, disabled ones too").addOption(workspaceOption()).action(listUsers);

  changeCommand(user, "role", "give a user another role; the user's keys follow at once")
    .addArgument(new Argument("<role>", "what the user may do").choices(ROLES))
    .action(async (emailOrId: string, role: Role, options: WorkspaceOption) =>
      changeUser(options, emailOrId, (session, origin, id) => setUserRole(session, origin, { id, role })),
    );

  changeCommand(user, "disable", "shut out a user, with all their keys").action(
    async (emailOrId: string, options: WorkspaceOption) =>
      changeUser(options, emailOrId, (session, origin, id) => setUserDisabled(session, origin, { id, disabled: true })),
  );

  changeCommand(user, "enable", "let a user in again").action(async (emailOrId: string, options: WorkspaceOption) =>
    changeUser(options, emailOrId, (session, origin, id) => setUserDisabled(session, origin, { id, disabled: false })),
  );

  changeCommand(user, "grant", "grant a user a permission that the role does not have")
    .addArgument(permissionArgument())
    .action(async (emailOrId: string, permission: Permission, options: WorkspaceOption) =>
      changeUser(options, emailOrId, (session, origin, id) => grantPermission(session, origin, { id, permission })),
    );

  changeCommand(user, "ungrant", "take such a permission back")
    .addArgument(permissionArgument())
    .action(async (emailOrId: string, permission: Permission, options: WorkspaceOption) =>
      changeUser(options, emailOrId, (session, origin, id) => revokePermission(session, origin, { id, permission })),
    );
}

function changeCommand(user: Command, name: string, description: string): Command {
  return user
    .command(name)
    .description(description)
    .argument("<user>", "the e-mail address or id")
    .addOption(workspaceOption());
}

async function changeUser(
  options: WorkspaceOption,
  emailOrId: string,
  change: (session: Session, origin: Origin, id: string) => Promise<unknown>,
): Promise<void> {
  await changeWorkspace(options, async (session, origin) => {
    const { id } = await getUser(session.store, origin.workspace.id, emailOrId);
    await change(session, origin, id);
  });
}

async function listUsers(options: WorkspaceOption): Promise<void> {
  const users = await inWorkspace(options, ({ store }, { id }) => store.users.list(id));
  printTable(
    ["EMAIL", "ID", "ROLE", "GRANTS", "CREATED", "STATUS"],
    users.map(({ email, id, role, grants, createdAt, disabledAt }) => [
      email,
      id,
      role,
      grants.join(","),
      createdAt,
      disabledAt === null ? "active" : `disabled ${disabledAt}`,
    ]),
  );
}
