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

/** The words that may follow a command, or an option of it. */
interface Following {
  /** The names that lead to the command, each followed by a space; "" for the program. */
  typed: string;
  /** The option that the words are values of, followed by a space; "" for the command itself. */
  option: string;
  words: string;
}

/** Words hold letters, digits, `_` and `-` only, so nothing is escaped. */
function writeCompletion(program: Command, shell: Shell): string {
  // The longest come first: the first that fits what was typed is taken.
  return SCRIPTS[shell](listFollowing(program, "").toSorted((a, b) => lengthOf(b) - lengthOf(a)));
}

function lengthOf({ typed, option }: Following): number {
  return typed.length + option.length;
}

function listFollowing(command: Command, typed: string): Following[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const names = command.commands.map((each) => each.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    { typed, option: "", words: [...names, ...choices, ...options, "--help"].join(" ") },
    ...command.options.flatMap(({ long, argChoices }) =>
      long && argChoices ? [{ typed, option: `${long} `, words: argChoices.join(" ") }] : [],
    ),
    ...command.commands.flatMap((each) => listFollowing(each, `${typed}${each.name()} `)),
  ];
}

/** What is before the cursor is matched as the words without options, then the last word. Files are offered if no word fits. */
const SCRIPTS: Record<Shell, (following: readonly Following[]) => string> = {
  bash: (following) => `_tributary() {
  local word typed="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+="$word "; done
  case "$typed\${COMP_WORDS[COMP_CWORD-1]} " in
${following.map(({ typed, option, words }) => `    "${typed}"*"${option}") words="${words}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tributary tributary`,
  zsh: (following) => `#compdef tributary
_tributary() {
  local word typed=""
  for word in \${words[2,CURRENT-1]}; do [[ $word == -* ]] || typed+="$word "; done
  case "$typed\${words[CURRENT-1]} " in
${following.map(({ typed, option, words }) => `    "${typed}"*"${option}") compadd -- ${words} || _files ;;`).join("\n")}
  esac
}
compdef _tributary tributary`,
  fish: (following) => `function __tributary_words
  set -l before (commandline -opc)
  set -l typed (string match -v -- '-*' $before[2..])' '
  set -l words
  switch (string join '' -- $typed $before[-1] ' ')
${following.map(({ typed, option, words }) => `    case '${typed}*${option}'\n      set words ${words}`).join("\n")}
  end
  set -l fitting (string match -- (commandline -ct)'*' $words)
  and string join \\n -- $fitting
  or __fish_complete_path (commandline -ct)
end
complete -c tributary -f -a '(__tributary_words)'`,
};
