import {
  expectedAt,
  type LineStatus,
  lacksRecentFigures,
  type Pace,
  paceOf,
  statusOf,
} from "../../../domain/campaign/pacing.ts"
import type { PricingBasis } from "../../../domain/campaign/package-line.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { Ago, formatDate, formatNumber, formatPercent } from "./format.tsx"
import { Badge, type Tone } from "./widgets.tsx"

export const BASIS_LABELS: Readonly<Record<PricingBasis, string>> = {
  impressions: "Impressions",
  downloads: "Downloads",
  flat_rate: "Flat rate",
}

const STATUS: Readonly<Record<LineStatus | "empty", readonly [Tone, string]>> = {
  upcoming: ["plain", "Upcoming"],
  running: ["good", "Running"],
  delivered: ["good", "Delivered"],
  ended: ["plain", "Ended"],
  empty: ["plain", "No lines"],
}

const PACE: Readonly<Record<Pace, readonly [Tone, string]>> = {
  behind: ["warning", "Behind"],
  on_pace: ["good", "On pace"],
  ahead: ["plain", "Ahead"],
}

export function StatusBadge({ status }: { readonly status: LineStatus | "empty" }) {
  const [tone, words] = STATUS[status]
  return <Badge tone={tone}>{words}</Badge>
}

export function PaceBadge({ pace }: { readonly pace: Pace | null }) {
  if (pace === null) return null
  const [tone, words] = PACE[pace]
  return <Badge tone={tone}>{words}</Badge>
}

type LineProps = Readonly<{ line: ShownLine; now: Moment }>

/** Status, and for a running line pace and freshness. */
export function LineBadges({ line, now }: LineProps) {
  const zone = line.seller.timeZone
  const status = statusOf(line, now, zone)
  return (
    <span class="badges">
      <StatusBadge status={status} />
      {status === "running" && <PaceBadge pace={paceOf(line, zone)} />}
      {lacksRecentFigures(line, now, zone) && <Badge tone="warning">No recent figures</Badge>}
    </span>
  )
}

/** Delivered of booked. */
export function Delivered({ line }: { readonly line: ShownLine }) {
  const { total, booked, pricingBasis } = line
  if (pricingBasis === "flat_rate") return <>{total === null ? "Not delivered yet" : "Delivered"}</>
  return (
    <>
      <strong>{total === null ? "0" : formatNumber(total.quantity)}</strong>
      {booked !== null && <span class="soft">{ofBooked(booked, total?.quantity ?? 0)}</span>}
    </>
  )
}

function ofBooked(booked: number, delivered: number): string {
  const share = booked > 0 ? ` (${formatPercent(delivered / booked)})` : ""
  return ` of ${formatNumber(booked)}${share}`
}

/** A bar of what is delivered, with a mark for the plan. The text beside it says the same. */
export function Progress({ line, now }: LineProps) {
  const { booked, total, pricingBasis } = line
  if (pricingBasis === "flat_rate" || booked === null || booked === 0) return null
  const share = Math.min((total?.quantity ?? 0) / booked, 1) * 100
  const expected = expectedAt(line, now, line.seller.timeZone)
  const mark = expected === null || expected === 0 ? null : Math.min((expected / booked) * 100, 99.2)
  return (
    <svg class="progress" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="delivered" width={share.toFixed(2)} height="8" />
      {mark !== null && <rect class="expected" x={mark.toFixed(2)} width="0.8" height="8" />}
    </svg>
  )
}

export function Flight({ line }: { readonly line: Pick<ShownLine, "flightStart" | "flightEnd"> }) {
  if (line.flightEnd === null) return <>From {formatDate(line.flightStart)}</>
  return (
    <>
      {formatDate(line.flightStart)} – {formatDate(line.flightEnd)}
    </>
  )
}

export function Measured({ line, now }: LineProps) {
  if (line.total === null) return <span class="soft">Nothing reported yet</span>
  return (
    <span class="soft">
      Measured <Ago at={line.total.asOf} zone={line.seller.timeZone} now={now} />
    </span>
  )
}
