/** `tributary completion`: a script by which a shell completes commands and options. */
import { Argument, type Command } from "commander";

import type { CommandBody } from "./command.ts";
import { printLine } from "./print.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const HOW: Record<Shell, string> = {
  bash: "source <(tributary completion bash)",
  zsh: "source <(tributary completion zsh)",
  fish: "tributary completion fish | source",
};

/** @param createProgram makes the program with all commands */
export function completionCommand(createProgram: () => Promise<Command>): CommandBody {
  return {
    json: false,
    arguments: [new Argument("<shell>", "the shell").choices(SHELLS)],
    help: () => `\nPut into the shell's start file:\n${SHELLS.map((shell) => `  ${shell}: ${HOW[shell]}`).join("\n")}`,
    run: async (shell: Shell) => printLine(writeCompletion(await createProgram(), shell)),
  };
}

/** The words that may follow a command: its subcommands and its options. */
interface Following {
  /** The names that lead to the command, each followed by a space; "" for the program. */
  typed: string;
  words: string;
}

/** Words hold letters, digits and `-` only, so nothing is escaped. */
function writeCompletion(program: Command, shell: Shell): string {
  // The longest come first: the first that fits what was typed is taken.
  const following = listFollowing(program, "").toSorted((a, b) => b.typed.length - a.typed.length);
  return SCRIPTS[shell](following);
}

function listFollowing(command: Command, typed: string): Following[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((each) => each.name()), ...options, "--help"].join(" ");
  return [{ typed, words }, ...command.commands.flatMap((each) => listFollowing(each, `${typed}${each.name()} `))];
}

const SCRIPTS: Record<Shell, (following: readonly Following[]) => string> = {
  bash: (following) => `_tributary() {
  local word typed="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+="$word "; done
  case "$typed" in
${following.map(({ typed, words }) => `    "${typed}"*) words="${words}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tributary tributary`,
  zsh: (following) => `#compdef tributary
_tributary() {
  local word typed=""
  for word in \${words[2,CURRENT-1]}; do [[ $word == -* ]] || typed+="$word "; done
  case "$typed" in
${following.map(({ typed, words }) => `    "${typed}"*) compadd -- ${words} ;;`).join("\n")}
  esac
}
compdef _tributary tributary`,
  fish: (following) => `function __tributary_words
  set -l typed (string match -v -- '-*' (commandline -opc)[2..])' '
  switch (string join '' $typed)
${following.map(({ typed, words }) => `    case '${typed}*'\n      string split ' ' '${words}'`).join("\n")}
  end
end
complete -c tributary -a '(__tributary_words)'`,
};
