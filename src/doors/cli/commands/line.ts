import type { Command } from "commander"
import { archiveLine } from "../../../actions/campaigns/archive-line.ts"
import { removeLine } from "../../../actions/campaigns/remove-line.ts"
import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { reportStatusOf } from "../../../domain/delivery/report-status.ts"
import { readReportId, reportIdOf } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { HistoryEntry } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { stamp } from "../keys.ts"
import { type FoundLine, findLine } from "../line.ts"
import { UsageError } from "../usage-error.ts"
import { wholeNumber } from "../whole-number.ts"

const PACKAGE_ID = "as shown by lines"
const REPORTS_SHOWN = 25

export function lineCommand(program: Command, context: CliContext): void {
  const line = program
    .command("line")
    .description("show the reports of a package line, withdraw a wrong one, archive or delete a line")
  addHistory(line, context)
  addWithdraw(line, context)
  addArchive(line, context, "archive", true)
  addArchive(line, context, "unarchive", false)
  addDelete(line, context)
}

function addHistory(line: Command, context: CliContext): void {
  withData(line.command("history"))
    .description("list the reports of a line, most recently received first")
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .option("--limit <N>", "how many to show", String(REPORTS_SHOWN))
    .action(async (packageId: string, options: CommonOptions & { limit: string }) => {
      const limit = wholeNumber("--limit", options.limit, 1, 10_000)
      const { found, entries } = await onStore(context, options, async ({ store }) => {
        const found = await findLine(store, packageId)
        return { found, ...(await store.deliveryHistory.page(found.lineId, "seller", null, limit)) }
      })
      print(context.io, options, historyJson(found, entries), historyText(found, entries))
    })
}

function historyJson({ total }: FoundLine, entries: readonly HistoryEntry[]): unknown {
  return entries.map((entry) => ({
    report_id: reportIdOf(entry),
    quantity: entry.quantity,
    as_of: formatMoment(entry.asOf),
    received_at: formatMoment(entry.receivedAt),
    source: entry.source.kind,
    sender: entry.source.sender ?? null,
    status: reportStatusOf(entry, total),
    withdrawn: entry.withdrawn && {
      at: formatMoment(entry.withdrawn.at),
      by: entry.withdrawn.actor,
      reason: entry.withdrawn.reason,
    },
  }))
}

function historyText({ total }: FoundLine, entries: readonly HistoryEntry[]): string {
  const rows = entries.map((entry) => [
    reportIdOf(entry),
    entry.quantity.toLocaleString("en"),
    stamp(entry.asOf),
    stamp(entry.receivedAt),
    entry.source.sender ?? entry.source.kind,
    reportStatusOf(entry, total),
    entry.withdrawn?.reason ?? "",
  ])
  const header = ["REPORT ID", "TOTAL", "AS OF", "RECEIVED", "SOURCE", "STATUS", "REASON"]
  return table(header, rows, "No reports of this line yet.")
}

function addWithdraw(line: Command, context: CliContext): void {
  withData(line.command("withdraw"))
    .description("withdraw a report: it stays in the history, and no longer counts")
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .argument("<REPORT_ID>", "as shown by line history")
    .requiredOption("--reason <TEXT>", "why, for the history")
    .action(async (packageId: string, reportId: string, options: CommonOptions & { reason: string }) => {
      const report = readReportId(reportId)
      const { found, withdrawn } = await onStore(context, options, async (on) => {
        const found = await findLine(on.store, packageId)
        const by = { userId: null, isAdmin: true, actor: "command", reason: options.reason }
        const missing = { outcome: "not found" } as const
        const withdrawn = report ? await withdrawReport(on, found.seller, found.packageId, report, by) : missing
        return { found, withdrawn }
      })
      if (withdrawn.outcome === "refused") throw new UsageError(`--reason: ${withdrawn.errors.reason}`)
      if (withdrawn.outcome === "already withdrawn") throw new UserError("This report has already been withdrawn.")
      if (withdrawn.outcome !== "done")
        throw new UserError(`The line has no report "${reportId}". "adbooth line history ${packageId}" shows them.`)
      const { total } = withdrawn
      const after =
        total === null ? "No report is left." : `The current total is ${total.quantity.toLocaleString("en")}.`
      const json = {
        package_id: found.packageId,
        report_id: reportId,
        delivered: total?.quantity ?? null,
        as_of: total && formatMoment(total.asOf),
      }
      print(context.io, options, json, `Withdrawn. ${after}\n`)
    })
}

function addArchive(line: Command, context: CliContext, name: string, archived: boolean): void {
  withData(line.command(name))
    .description(
      archived ? "leave a line out of lists; reports are still accepted" : "show an archived line in lists again",
    )
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .action(async (packageId: string, options: CommonOptions) => {
      const changed = await onStore(context, options, async (on) => {
        const { seller, packageId: id } = await findLine(on.store, packageId)
        return archiveLine(on, seller, id, archived, "command")
      })
      const done = archived ? "Archived.\n" : "It is in the lists again.\n"
      print(context.io, options, { package_id: packageId, archived }, changed ? done : "Nothing to change.\n")
    })
}

const NOT_DELETED = {
  "not found": "The line is gone already.",
  "has figures": 'The line has figures, so it cannot be deleted: "adbooth line archive" leaves it out of lists.',
  "last line": 'This is the only line of its campaign: "adbooth campaign delete" deletes both.',
} as const

function addDelete(line: Command, context: CliContext): void {
  withData(line.command("delete"))
    .description("delete a line, if nothing has been reported")
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .action(async (packageId: string, options: CommonOptions) => {
      const outcome = await onStore(context, options, async (on) => {
        const { seller, packageId: id } = await findLine(on.store, packageId)
        return removeLine(on, seller, id, "command")
      })
      if (outcome !== "done") throw new UserError(NOT_DELETED[outcome])
      print(context.io, options, { package_id: packageId, deleted: true }, "Deleted.\n")
    })
}
