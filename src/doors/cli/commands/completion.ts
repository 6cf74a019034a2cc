import { Argument, type Command } from "commander"
import { settle } from "../../../config.ts"
import { SHELLS, shellScript } from "../completion/completion-scripts.ts"
import { candidates, type WithStore } from "../completion/completions.ts"
import type { CliContext } from "../context.ts"
import { explained } from "../help/help.ts"
import { oneLine } from "../output/cells.ts"

export function completionCommand(program: Command, context: CliContext): void {
  const completion = program
    .command("completion")
    .summary("print the completion script for a shell")
    .description("print the completion script for a shell: commands, options, and what is stored")
    .addArgument(new Argument("<SHELL>", "which shell").choices(SHELLS))
    .action((shell: string) => {
      context.io.out(shellScript(shell))
    })
  explained(completion, {
    notes: [
      "bash, in ~/.bashrc: source <(adbooth completion bash)",
      "zsh, in ~/.zshrc, after compinit: source <(adbooth completion zsh)",
      "fish: adbooth completion fish > ~/.config/fish/completions/adbooth.fish",
    ],
    examples: [["completion bash"]],
  })

  // Called by the scripts with the words typed so far; the last one may be incomplete.
  program
    .command("complete-words", { hidden: true })
    .argument("[WORDS...]")
    .option("--describe")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[], { describe }: { describe?: boolean }) => {
      const found = await candidates(program, words, readingStore(context))
      const lines = found.map(({ value, about = "" }) =>
        describe && about !== "" ? `${value}\t${oneLine(about)}` : value,
      )
      context.io.out(lines.map((line) => `${line}\n`).join(""))
    })
}

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
