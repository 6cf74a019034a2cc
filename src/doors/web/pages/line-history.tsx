import { type ReportStatus, reportStatusOf } from "../../../domain/delivery/report-status.ts"
import { reportIdOf, type Withdrawal } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { HistoryCursor, HistoryEntry } from "../../../storage/port/store.ts"
import { WithdrawLink } from "../manage/withdraw-report.tsx"
import { everyPart } from "../paging.ts"
import { Badge, type Tone } from "../parts/badge.tsx"
import { formatNumber } from "../parts/format.tsx"
import { Pager } from "../parts/table/pages.tsx"
import { BareTable, type Column } from "../parts/table/table.tsx"
import { Time } from "../parts/time.tsx"
import { longCsv } from "../write-csv.ts"
import type { LineVisit } from "./with-line.ts"

// On a phone each report is a card.
const PER_PAGE = 10
const PER_DOWNLOAD_PART = 200

export interface HistoryShown {
  readonly entries: readonly HistoryEntry[]
  readonly next: HistoryCursor | null
  readonly isFirst: boolean
}

export async function historyOf(place: LineVisit): Promise<HistoryShown> {
  const from = placeIn(place.visit.url)
  const { entries, next } = await reportsFrom(place, from, PER_PAGE)
  return { entries, next, isFirst: from === null }
}

function reportsFrom({ visit, line, viewer }: LineVisit, from: HistoryCursor | null, limit: number) {
  return visit.context.store.deliveryHistory.page(line.lineId, viewer, from, limit)
}

const CURSOR = /^(?:(-?\d{1,16})_(\d[\d.e+-]{0,30}))?(?:~(-?\d{1,16})_(\d{1,16}))?$/

function placeIn({ searchParams }: URL): HistoryCursor | null {
  const [whole = "", asOf, quantity, receivedAt, id] = CURSOR.exec(searchParams.get("before") ?? "") ?? []
  if (whole === "") return null
  return {
    report: quantity === undefined ? null : { asOf: Number(asOf), quantity: Number(quantity) },
    afterWithdrawn: id === undefined ? null : { receivedAt: Number(receivedAt), id: Number(id) },
  }
}

function textOf({ report, afterWithdrawn }: HistoryCursor): string {
  const kept = report === null ? "" : `${report.asOf}_${report.quantity}`
  return afterWithdrawn === null ? kept : `${kept}~${afterWithdrawn.receivedAt}_${afterWithdrawn.id}`
}

type HistoryProps = Readonly<{ place: LineVisit; history: HistoryShown }>

export function HistoryTable({ place, history: { entries } }: HistoryProps) {
  return (
    <BareTable
      caption="Every report of this line, most recently received first"
      columns={columnsFor(place)}
      rows={entries}
      rowKey={reportIdOf}
      isCurrent={(entry) => reportStatusOf(entry, place.line.total) === "current"}
    />
  )
}

export function HistoryPager({ place: { href }, history: { next, isFirst } }: HistoryProps) {
  return (
    <Pager
      previous={isFirst ? null : `${href}#history`}
      previousLabel="Newest"
      next={next === null ? null : `${href}?before=${encodeURIComponent(textOf(next))}#history`}
    />
  )
}

const STATUS: Readonly<Record<ReportStatus, readonly [Tone, string]>> = {
  current: ["good", "Current"],
  corrected: ["off", "Corrected"],
  superseded: ["off", "Superseded"],
  withdrawn: ["bad", "Withdrawn"],
}

function columnsFor(place: LineVisit): Column<HistoryEntry>[] {
  const { line } = place
  const isFlat = line.pricingBasis === "flat_rate"
  return [
    { title: "Total", cell: ({ quantity }) => (isFlat ? "Delivered" : formatNumber(quantity)), numeric: !isFlat },
    { title: "Measured", cell: ({ asOf }) => <Time at={asOf} /> },
    { title: "Received", phone: "desk", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    { title: "Source", value: sourceText },
    {
      title: "Status",
      phone: "corner",
      cell: (entry) => {
        const [tone, label] = STATUS[reportStatusOf(entry, line.total)]
        return (
          <>
            <Badge tone={tone}>{label}</Badge>
            {entry.withdrawn !== null && (
              <div class="soft">
                <Time at={entry.withdrawn.at} /> {withdrawalText(entry.withdrawn)}
              </div>
            )}
          </>
        )
      },
    },
    { title: "Actions", phone: "actions", cell: (entry) => <WithdrawLink place={place} entry={entry} /> },
  ]
}

/** Who and why, where the viewer may know it. */
function withdrawalText({ actor, name, reason }: Withdrawal): string {
  if (actor === undefined) return ""
  const who = actor === "command" ? "on the command line" : `by ${name ?? "a former user"}`
  return `${who}: ${reason}`
}

function sourceText({ source: { kind, reference, detail, sender } }: Pick<HistoryEntry, "source">): string {
  // Some viewers may only know the kind of source.
  if (sender === undefined) return KIND_LABELS[kind]
  switch (kind) {
    case "key":
      return `API key “${sender ?? reference}”`
    case "form":
      return `Form, ${sender ?? "a former user"}`
    case "file":
      return `File ${detail}, ${sender ?? "a former user"}`
    case "command":
      return KIND_LABELS.command
  }
}

const KIND_LABELS = { key: "API", form: "Form", file: "File", command: "Command line" } as const

export function historyCsv(place: LineVisit): Response {
  const { line } = place
  const header = ["package_id", "total", "as_of", "received_at", "source", "current", "day", "status", "withdrawn"]
  async function* parts() {
    const read = (from: HistoryCursor | null) => reportsFrom(place, from, PER_DOWNLOAD_PART)
    for await (const { entries } of everyPart("next", read)) {
      yield entries.map((entry) => [
        line.packageId,
        entry.quantity,
        formatMoment(entry.asOf),
        formatMoment(entry.receivedAt),
        sourceText(entry),
        reportStatusOf(entry, line.total) === "current" ? "yes" : "no",
        dayOf(entry.asOf, line.seller.timeZone),
        reportStatusOf(entry, line.total),
        entry.withdrawn && `${formatMoment(entry.withdrawn.at)} ${withdrawalText(entry.withdrawn)}`.trim(),
      ])
    }
  }
  return longCsv(`${line.packageId}-history.csv`, header, parts())
}
