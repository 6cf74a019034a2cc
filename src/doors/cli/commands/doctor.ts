import type { Command } from "commander"
import { runDoctor } from "../../../actions/operations/doctor.ts"
import type { ServedWith, Settled } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, settled, withSettings } from "../context.ts"
import { printJson } from "../io.ts"

export function doctorCommand(program: Command, context: CliContext): void {
  withSettings(program.command("doctor"))
    .description("check database, settings, disk space and clock; says what to do about each finding")
    .option("--json", "print one JSON document, nothing else")
    .action(async (options: CommonOptions) => {
      const findings = await onStore(context, options, { create: false }, async (on, config) =>
        runDoctor(on, {
          ...settingsInForce(settled(context, options), await on.store.settings.get("served_with")),
          diskFreeBytes: () => context.diskFreeBytes(config.data),
          dataMode: await context.directoryMode(config.data),
        }),
      )
      const wrong = findings.filter(({ ok }) => !ok)
      if (options.json) printJson(context.io, { ok: wrong.length === 0, findings })
      else {
        for (const { ok, check, detail, advice } of findings) {
          context.io.out(
            `${ok ? "ok   " : "WRONG"} ${check}: ${detail}${advice === undefined ? "" : `\n      ${advice}`}\n`,
          )
        }
      }
      if (wrong.length > 0) throw new UserError(`${wrong.length} ${wrong.length === 1 ? "problem" : "problems"} found.`)
    })
}

/** What is set here, and where nothing is set, what the server was last started with. */
function settingsInForce({ config, origins }: Settled, servedWith: string | null): ServedWith {
  const served = { ...config, ...(JSON.parse(servedWith ?? "{}") as Partial<ServedWith>) }
  const inForce = <Name extends keyof ServedWith>(name: Name) => (origins[name] === "default" ? served : config)[name]
  return {
    host: inForce("host"),
    publicUrl: inForce("publicUrl"),
    trustProxy: inForce("trustProxy"),
    backupEvery: inForce("backupEvery"),
  }
}
