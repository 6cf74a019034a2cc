import type { Command } from "commander"
import type { CliContext } from "../context.ts"
import { printJson } from "../io.ts"

export function versionCommand(program: Command, context: CliContext): void {
  program
    .command("version")
    .description("versions of the program and of what it is made of")
    .option("--json", "print one JSON document, nothing else")
    .action(async (options: { json?: boolean }) => {
      const versions = await context.versions()
      if (options.json) printJson(context.io, versions)
      else
        context.io.out(
          Object.entries(versions)
            .map(([name, version]) => `${name} ${version}\n`)
            .join(""),
        )
    })
}
