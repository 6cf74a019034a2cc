import type { Command } from "commander"
import { settle } from "../../../config.ts"
import { command } from "../command.ts"
import { candidates, type WithStore } from "../completion.ts"
import type { CliContext } from "../context.ts"
import { oneLine } from "../output/text.ts"

/** Only a data directory of this version: pressing Tab must change nothing, and not wait for a database elsewhere. */
function readingStore({ environment, hasCurrentDatabase, openStore }: CliContext): WithStore {
  return async (options, work) => {
    const { config } = settle(options, environment)
    try {
      if (!hasCurrentDatabase(config)) return []
      await using store = await openStore(config, { create: false })
      return await work(store)
    } catch {
      return []
    }
  }
}

// Each script passes the words to the program, which knows its commands and options, and what is stored. Where it has no suggestion,
// the shell completes file names. Values with an @ (e-mail addresses) are one word in bash only without it in COMP_WORDBREAKS.
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `COMP_WORDBREAKS=\${COMP_WORDBREAKS//@/}
_adbooth() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _adbooth adbooth
`,
  zsh: `#compdef adbooth
_adbooth() {
  local -a found
  local line tab=$'\\t'
  for line in "\${(@f)$("\${words[1]}" complete-words --describe -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)}"; do
    [[ -n "$line" ]] && found+=("\${\${line%%\${tab}*}//:/\\\\:}:\${line#*\${tab}}")
  done
  if (( \${#found} )); then _describe adbooth found; else _files; fi
}
compdef _adbooth adbooth
`,
  fish: `complete -c adbooth -f -a '(begin
  set -l found (adbooth complete-words --describe -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0; string join -- \\n $found; else; __fish_complete_path (commandline -ct); end
end)'
`,
}

export const completionCommand = command(
  "completion <SHELL>",
  "print the completion script for a shell: commands, options, and what is stored",
  {
    hidden: true,
    words: { SHELL: ["which shell", Object.keys(SCRIPTS)] },
    json: null,
    notes: [
      "bash, in ~/.bashrc: source <(adbooth completion bash)",
      "zsh, in ~/.zshrc, after compinit: source <(adbooth completion zsh)",
      "fish: adbooth completion fish > ~/.config/fish/completions/adbooth.fish",
    ],
    examples: [["completion bash"]],
    run: ({ cli }, shell: string) => cli.io.out(SCRIPTS[shell] ?? ""),
  },
)

/** Called by the scripts with the words typed so far; the last one may be incomplete. */
export function completeWordsCommand(program: Command, context: CliContext): void {
  program
    .command("complete-words", { hidden: true })
    .argument("[WORDS...]")
    .option("--describe")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[], { describe }: { describe?: boolean }) => {
      const offered = await candidates(program, words, readingStore(context))
      const lines = offered.map(({ value, about = "" }) =>
        describe && about !== "" ? `${value}\t${oneLine(about)}` : value,
      )
      context.io.out(lines.map((line) => `${line}\n`).join(""))
    })
}
