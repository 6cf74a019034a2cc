import type { Command } from "commander"
import { archiveLine, removeLine } from "../../../actions/campaigns/lines.ts"
import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { reportStatusOf } from "../../../domain/delivery/delivery-result.ts"
import { readReportId, reportIdOf } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { HistoryEntry } from "../../../storage/port/store.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import {
  type AskingOptions,
  type CliContext,
  type CommonOptions,
  confirmed,
  onStore,
  withData,
  withDataAndQuestion,
} from "../context.ts"
import { explained } from "../help.ts"
import { print } from "../io.ts"
import { stamp } from "../keys.ts"
import { type Column, printList } from "../output/table.ts"
import type { Colour } from "../output/text.ts"
import { type FoundLine, findLine } from "../stored.ts"
import { addList } from "./lines.ts"

const PACKAGE_ID = "as shown by line list"
const REPORTS_SHOWN = 25

export function lineCommand(program: Command, context: CliContext): void {
  const line = program
    .command("line")
    .summary("list lines and their reports, withdraw a report")
    .description("list package lines and the reports of one, withdraw a wrong report, archive or delete a line")
  explained(line, {
    examples: [
      ["line list --org acme-audio"],
      ["line history 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"],
      ['line withdraw 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01 REPORT_ID --reason "counted twice"'],
      ["line archive 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"],
      ["line unarchive 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"],
      ["line delete 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"],
    ],
  })
  addList(line, context)
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
      const list = { columns: historyColumns(found), asJson: historyJson(found), empty: "No reports of this line yet." }
      printList(context.io, options, entries, list)
    })
}

const historyJson =
  ({ total }: FoundLine) =>
  (entry: HistoryEntry) => ({
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
  })

function historyColumns({ total }: FoundLine): readonly Column<HistoryEntry>[] {
  return [
    { title: "REPORT ID", text: reportIdOf },
    { title: "TOTAL", text: ({ quantity }) => quantity.toLocaleString("en"), isFigure: true },
    { title: "AS OF", text: ({ asOf }) => stamp(asOf) },
    { title: "STATUS", text: (entry) => reportStatusOf(entry, total), colour: (entry) => statusColour(entry, total) },
    { title: "SOURCE", text: ({ source }) => source.sender ?? source.kind, shrinks: true, optional: 1 },
    { title: "RECEIVED", text: ({ receivedAt }) => stamp(receivedAt), optional: 2 },
    { title: "REASON", text: ({ withdrawn }) => withdrawn?.reason ?? "", shrinks: true, optional: 3 },
  ]
}

function statusColour(entry: HistoryEntry, total: FoundLine["total"]): Colour | undefined {
  const status = reportStatusOf(entry, total)
  return status === "current" ? "green" : status === "withdrawn" ? "dim" : undefined
}

function addWithdraw(line: Command, context: CliContext): void {
  withDataAndQuestion(line.command("withdraw"))
    .description("withdraw a report: it stays in the history, and no longer counts")
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .argument("<REPORT_ID>", "as shown by line history")
    .requiredOption("--reason <TEXT>", "why, for the history")
    .action(async (packageId: string, reportId: string, options: AskingOptions & { reason: string }) => {
      await confirmed(context, options, `Withdraw the report ${reportId}?`)
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
      const done = archived ? "Archived.\n" : "The line is in the lists again.\n"
      print(context.io, options, { package_id: packageId, archived }, changed ? done : "Nothing to change.\n")
    })
}

const NOT_DELETED = {
  "not found": "The line has been deleted already.",
  "has figures": 'The line has figures, so it cannot be deleted: "adbooth line archive" leaves it out of lists.',
  "last line": 'This is the only line of its campaign: "adbooth campaign delete" deletes both.',
} as const

function addDelete(line: Command, context: CliContext): void {
  withDataAndQuestion(line.command("delete"))
    .description("delete a line, if nothing has been reported")
    .argument("<PACKAGE_ID>", PACKAGE_ID)
    .action(async (packageId: string, options: AskingOptions) => {
      await confirmed(context, options, `Delete the line ${packageId}?`)
      const outcome = await onStore(context, options, async (on) => {
        const { seller, packageId: id } = await findLine(on.store, packageId)
        return removeLine(on, seller, id, "command")
      })
      if (outcome !== "done") throw new UserError(NOT_DELETED[outcome])
      print(context.io, options, { package_id: packageId, deleted: true }, "Deleted.\n")
    })
}
