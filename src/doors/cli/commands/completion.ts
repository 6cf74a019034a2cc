import { Argument, type Command } from "commander"
import { SHELLS, shellScript } from "../completion-scripts.ts"
import { candidates } from "../completions.ts"
import type { CliContext } from "../context.ts"

export function completionCommand(program: Command, context: CliContext): void {
  program
    .command("completion")
    .description("print the completion script for a shell")
    .addArgument(new Argument("<SHELL>", "which shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nbash:  source <(adbooth completion bash)\nzsh:   source <(adbooth completion zsh)\nfish:  adbooth completion fish | source",
    )
    .action((shell: string) => {
      context.io.out(shellScript(shell))
    })

  // Called by the scripts with the words typed so far; the last one may be incomplete.
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
