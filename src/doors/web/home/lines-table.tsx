import type { Judged } from "../../../domain/campaign/attention.ts"
import { type Worth, worthOf } from "../../../domain/campaign/campaign-summary.ts"
import { daysLeft, offPlan } from "../../../domain/campaign/line-state.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { LineSparkline, type PointsByLine, WorthText } from "../campaigns/campaign.tsx"
import { Card } from "../parts/blocks.tsx"
import { CsvLink } from "../parts/buttons.tsx"
import { signed } from "../parts/charts/total-chart.tsx"
import { Ago, formatCount, formatDate, formatNumber, formatShortDate, Time } from "../parts/format.tsx"
import { DeliveredCell, StateBadge } from "../parts/line.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import type { OrganizationVisit } from "../visit.ts"
import type { Selling } from "./lines-in-flight.ts"
import { lineHref } from "./needs-list.tsx"

type LinesTableProps = Readonly<{ visit: OrganizationVisit; selling: Selling; points: PointsByLine; csv: string }>

/** All lines that run now, in one table, with what they are worth together. */
export function RunningLines({ visit, selling, points, csv }: LinesTableProps) {
  const { worths, shown } = selling
  const title = (
    <>
      Running lines <span class="soft">{formatNumber(selling.running)}</span>
    </>
  )
  return (
    <Card flush title={title} actions={<CsvLink href={csv} />}>
      <BareTable
        caption="Running lines"
        columns={columnsFor(visit, selling.today, points)}
        rows={shown}
        rowKey={({ line }) => line.packageId}
        totals={
          worths.length === 0 ? undefined : { Line: "All running lines", "Value so far": <Worths all={worths} /> }
        }
      />
    </Card>
  )
}

const Worths = ({ all }: { readonly all: readonly Worth[] }) => (
  <>
    {all.map((worth) => (
      <div key={worth.currency ?? ""}>
        <WorthText worth={worth} />
      </div>
    ))}
  </>
)

function columnsFor(visit: OrganizationVisit, today: CalendarDate, points: PointsByLine): Column<Judged<FlyingLine>>[] {
  const { now } = visit
  return [
    { title: "Line", cell: ({ line }) => <LineName line={line} href={lineHref(visit, line)} /> },
    { title: "State", phone: "corner", cell: ({ state }) => <StateBadge state={state} /> },
    {
      title: "Last 14 days",
      phone: "large",
      cell: ({ line }) => <LineSparkline line={line} reports={points.get(line.lineId) ?? []} now={now} />,
    },
    { title: "Delivered", phone: "span", cell: ({ line }) => <DeliveredCell line={line} now={now} /> },
    { title: "Pace", numeric: true, cell: (judged) => <PaceCell {...judged} /> },
    { title: "Value so far", numeric: true, cell: ({ line }) => <ValueCell line={line} /> },
    { title: "Ends", nowrap: true, cell: ({ line }) => <EndCell line={line} today={today} /> },
    { title: "Measured", nowrap: true, phone: "large", cell: ({ line }) => <MeasuredCell line={line} /> },
  ]
}

export const LineName = ({ line, href }: { readonly line: FlyingLine; readonly href: string }) => (
  <>
    <a class="name" href={href}>
      {line.name}
    </a>
    <small>
      {line.campaign.name} · {line.campaign.buyer.name}
    </small>
  </>
)

type LineCellProps = Readonly<{ line: FlyingLine }>

function PaceCell({ line, state }: Judged<FlyingLine>) {
  const off = offPlan(line, line.seller.timeZone)
  if (off === null) return <span class="soft">–</span>
  return <span class={state === "behind" ? "tone warn" : undefined}>{signed(off)}</span>
}

function ValueCell({ line }: LineCellProps) {
  const worth = worthOf([line])
  return worth === null ? <span class="soft">–</span> : <WorthText worth={worth} />
}

function EndCell({ line, today }: LineCellProps & { readonly today: CalendarDate }) {
  const left = daysLeft(line, today)
  if (line.flightEnd === null || left === null) return <span class="soft">No end</span>
  const format = line.flightEnd.slice(0, 4) === today.slice(0, 4) ? formatShortDate : formatDate
  return (
    <>
      {format(line.flightEnd)}
      <small>{left === 1 ? "Last day" : formatCount(left, "day left", "days left")}</small>
    </>
  )
}

function MeasuredCell({ line: { total } }: LineCellProps) {
  if (total === null) return <span class="soft">Not yet</span>
  return (
    <>
      <Ago at={total.asOf} />
      <small class="roomy">
        <Time at={total.asOf} />
      </small>
    </>
  )
}
