import type { Command } from "commander"
import { SHELLS, shellScript } from "../completion-scripts.ts"
import { candidates } from "../completions.ts"
import type { CliContext } from "../context.ts"
import { UsageError } from "../usage-error.ts"

export function completionCommand(program: Command, context: CliContext): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .argument("<SHELL>", SHELLS.join(", "))
    .addHelpText(
      "after",
      "\nbash:  source <(adbooth completion bash)\nzsh:   source <(adbooth completion zsh)\nfish:  adbooth completion fish | source",
    )
    .action((shell: string) => {
      const script = shellScript(shell)
      if (script === undefined) throw new UsageError(`There is a script for ${SHELLS.join(", ")}; not for "${shell}".`)
      context.io.out(script)
    })

  // What the scripts ask: the words so far, the last one perhaps unfinished.
  program
    .command("complete-words", { hidden: true })
    .argument("[WORDS...]")
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) =>
      context.io.out(
        candidates(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      ),
    )
}
