import type { Command } from "commander"
import { backupSchedule, changeBackupSchedule } from "../../../../actions/operations/backup-schedule.ts"
import { settle } from "../../../../config.ts"
import type { BackupSchedule, ScheduleInForce, ScheduleOrigin } from "../../../../domain/operations/backup-schedule.ts"
import { MICROS_PER_SECOND } from "../../../../domain/time/moment.ts"
import { type CliContext, type CommonOptions, onStore, settled, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { printDetails } from "../../output/print-list.ts"
import { UsageError } from "../../usage-error.ts"
import { settingsInForce } from "../doctor.ts"

interface ScheduleOptions extends CommonOptions {
  readonly every?: string
  readonly keep?: string
}

export function backupScheduleCommand(program: Command, context: CliContext): void {
  const schedule = withData(program.command("backup-schedule"))
    .description("show or change when the server makes backups, as in the app")
    .option("--every <TIME>", "how often, such as 24h, or never")
    .option("--keep <N>", "backups to keep; older ones are deleted")
    .action(async (options: ScheduleOptions) => {
      const inForce = await onStore(context, options, async (on) => {
        const wanted = wantedBy(options)
        if (Object.keys(wanted).length > 0) await changeBackupSchedule(on, wanted, { actor: "command" })
        const served = await on.store.settings.get("served_with")
        return backupSchedule(on.store, settingsInForce(settled(context, {}), served))
      })
      show(context, options, inForce)
    })
  explained(schedule, {
    notes: ["If the server was started with --backup-every or --backup-keep, that goes first."],
    examples: [["backup-schedule"], ["backup-schedule --every 24h --keep 14"], ["backup-schedule --every never"]],
  })
}

/** What the options ask for. They are read as those of the server are. */
function wantedBy({ every, keep }: ScheduleOptions): Partial<BackupSchedule> {
  const isTimed = every !== undefined && every !== "never"
  const given = { ...(isTimed && { backupEvery: every }), ...(keep !== undefined && { backupKeep: keep }) }
  const { config, problems } = settle(given, {})
  if (problems.length > 0) throw new UsageError(problems.join("\n").replaceAll("--backup-", "--"))
  return {
    ...(every !== undefined && { every: config.backupEvery }),
    ...(config.backupKeep !== null && { keep: config.backupKeep }),
  }
}

const ORIGINS: Readonly<Record<ScheduleOrigin, string>> = {
  option: "option of the server",
  chosen: "chosen in the app or by this command",
  default: "default",
}

function show({ io }: CliContext, options: ScheduleOptions, { every, keep, from }: ScheduleInForce): void {
  const seconds = every === null ? null : every / MICROS_PER_SECOND
  const json = {
    every_seconds: { value: seconds, from: from.every },
    keep: { value: keep, from: from.keep },
  }
  printDetails(io, options, json, [
    ["Every", `${seconds === null ? "never" : `${seconds / 3_600}h`} (${ORIGINS[from.every]})`],
    ["Keep", `${keep} (${ORIGINS[from.keep]})`],
  ])
}
