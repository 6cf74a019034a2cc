import type { Command } from "commander"
import type { CliContext } from "../context.ts"
import { explained } from "../help/help.ts"
import { print } from "../io.ts"

export function versionCommand(program: Command, context: CliContext): void {
  const version = program
    .command("version")
    .summary("print the versions of the program and its parts")
    .description("print the versions of the program and of its parts")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const versions = await context.versions()
      const lines = Object.entries(versions).map(([name, version]) => `${name} ${version}\n`)
      print(context.io, options, versions, lines.join(""))
    })
  explained(version, { examples: [["version --json"]] })
}
