import type { Command } from "commander"
import { runDoctor } from "../../../actions/operations/doctor.ts"
import type { ServedWith, Settled } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, settled, withSettings } from "../context.ts"
import { print } from "../io.ts"

export function doctorCommand(program: Command, context: CliContext): void {
  withSettings(program.command("doctor"))
    .description("check database, settings, disk space and clock, with advice for each problem")
    .option("--json", "print JSON")
    .action(async (options: CommonOptions) => {
      const findings = await onStore(context, options, async (on, config) =>
        runDoctor(on, {
          ...settingsInForce(settled(context, options), await on.store.settings.get("served_with")),
          diskFreeBytes: () => context.diskFreeBytes(config),
          dataMode: await context.directoryMode(config),
        }),
      )
      const wrong = findings.filter(({ ok }) => !ok)
      const lines = findings.map(
        ({ ok, check, detail, advice }) =>
          `${ok ? "ok   " : "WRONG"} ${check}: ${detail}${advice === undefined ? "" : `\n      ${advice}`}\n`,
      )
      print(context.io, options, { ok: wrong.length === 0, findings }, lines.join(""))
      if (wrong.length > 0) throw new UserError(`${wrong.length} ${wrong.length === 1 ? "problem" : "problems"} found.`)
    })
}

/** The settings given here; for the others, those that the server was last started with. */
export function settingsInForce({ config, origins }: Settled, servedWith: string | null): ServedWith {
  const served = { ...config, ...(JSON.parse(servedWith ?? "{}") as Partial<ServedWith>) }
  const inForce = <Name extends keyof ServedWith>(name: Name) => (origins[name] === "default" ? served : config)[name]
  return {
    host: inForce("host"),
    publicUrl: inForce("publicUrl"),
    trustProxy: inForce("trustProxy"),
    backupEvery: inForce("backupEvery"),
    backupKeep: inForce("backupKeep"),
  }
}
