import { type CampaignSummary, summaryOf } from "../../../domain/campaign/campaign-summary.ts"
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
import { Badge, type BadgeShape, type Tone } from "./badge.tsx"
import { PaceBar } from "./charts/pace-bar.tsx"
import { Ago, formatMoney, formatNumber, formatPercent } from "./format.tsx"

export const BASIS_LABELS: Readonly<Record<PricingBasis, string>> = {
  impressions: "Impressions",
  downloads: "Downloads",
  flat_rate: "Flat rate",
}

type BadgeLook = readonly [Tone, BadgeShape, string]

const STATUS: Readonly<Record<LineStatus | "empty", BadgeLook>> = {
  upcoming: ["off", "ring", "Upcoming"],
  running: ["live", "dot", "Running"],
  delivered: ["good", "done", "Delivered"],
  ended: ["off", "word", "Ended"],
  empty: ["off", "dash", "No lines"],
}

const PACE: Readonly<Record<Pace, BadgeLook>> = {
  behind: ["warn", "down", "Behind"],
  on_pace: ["good", "dot", "On pace"],
  ahead: ["info", "up", "Ahead"],
}

export function StatusBadge({ status }: { readonly status: LineStatus | "empty" }) {
  const [tone, shape, words] = STATUS[status]
  return (
    <Badge tone={tone} shape={shape}>
      {words}
    </Badge>
  )
}

export function PaceBadge({ pace }: { readonly pace: Pace | null }) {
  if (pace === null) return null
  const [tone, shape, words] = PACE[pace]
  return (
    <Badge tone={tone} shape={shape}>
      {words}
    </Badge>
  )
}

type LineProps = Readonly<{ line: ShownLine; now: Moment }>

/** Status, and for a running line pace and freshness. */
export function LineBadges({ line, now }: LineProps) {
  const zone = line.seller.timeZone
  const status = statusOf(line, now, zone)
  return (
    <span class="with wraps">
      <StatusBadge status={status} />
      {status === "running" && <PaceBadge pace={paceOf(line, zone)} />}
      {lacksRecentFigures(line, now, zone) && <NoRecentFigures />}
    </span>
  )
}

/** The large figure of a line, and what it is of. */
export function Delivered({ line }: { readonly line: ShownLine }) {
  const { total, booked, pricingBasis } = line
  if (pricingBasis === "flat_rate") {
    return <span class="figure mid">{total === null ? "Not delivered yet" : "Delivered"}</span>
  }
  const quantity = total?.quantity ?? 0
  const unit = BASIS_LABELS[pricingBasis].toLowerCase()
  return (
    <>
      <span class="figure">{formatNumber(quantity)}</span>{" "}
      <span class="soft">
        {booked === null ? unit : `of ${formatNumber(booked)} ${unit} booked`}
        {booked !== null && booked > 0 && (
          <>
            {" "}
            · <b>{formatPercent(quantity / booked)}</b>
          </>
        )}
      </span>
    </>
  )
}

/** The same in a row of a table, with its bar. */
export function DeliveredCell({ line, now }: LineProps) {
  const { total, booked, pricingBasis } = line
  if (pricingBasis === "flat_rate") {
    return <span class="soft">{total === null ? "Flat rate, marked when done" : "Delivered"}</span>
  }
  return (
    <>
      <div>
        <b>{formatNumber(total?.quantity ?? 0)}</b>
        {booked !== null && <span class="soft"> of {formatNumber(booked)}</span>}
      </div>
      <Progress line={line} now={now} />
    </>
  )
}

/** A price as people write it: €14.50 CPM. Null without one. */
export function formatPrice({ rate, currency, pricingBasis }: Pick<ShownLine, "rate" | "currency" | "pricingBasis">) {
  if (rate === null) return null
  return pricingBasis === "flat_rate" ? formatMoney(rate, currency) : `${formatMoney(rate, currency)} CPM`
}

/** What is delivered, what is missing and the plan. The text beside it says the same. */
export function Progress({ line, now, big = false }: LineProps & { readonly big?: boolean }) {
  const { booked, total, pricingBasis } = line
  if (pricingBasis === "flat_rate" || booked === null || booked === 0) return null
  const zone = line.seller.timeZone
  const expected = expectedAt(line, total?.asOf ?? now, zone)
  return (
    <PaceBar
      delivered={(total?.quantity ?? 0) / booked}
      planned={expected === null ? null : expected / booked}
      isBehind={paceOf(line, zone) === "behind"}
      big={big}
      {...(big && expected !== null && { plan: `Plan: ${formatNumber(Math.round(expected))}` })}
    />
  )
}

export function Measured({ line, now }: LineProps) {
  if (line.total === null) return <span class="soft">Nothing reported yet</span>
  return (
    <span class="soft">
      <Ago at={line.total.asOf} zone={line.seller.timeZone} now={now} />
    </span>
  )
}

/** One word for a line in a table: what is wrong with it, or else where it is. */
export function LineBadge({ line, now }: LineProps) {
  return <CampaignBadge summary={summaryOf([line], now)} />
}

type CampaignBadgeProps = Readonly<{ summary: CampaignSummary }>

/** One word for a campaign: what is wrong with it, or else where it is. */
export function CampaignBadge({ summary: { status, pace, isSilent, isOver } }: CampaignBadgeProps) {
  if (isSilent) return <NoRecentFigures />
  if (status === "running" && pace === "behind") return <PaceBadge pace={pace} />
  if (isOver) return <OverDelivered />
  return status === "running" && pace !== null ? <PaceBadge pace={pace} /> : <StatusBadge status={status} />
}

function OverDelivered() {
  return (
    <Badge tone="over" shape="up">
      Over-delivered
    </Badge>
  )
}

function NoRecentFigures() {
  return (
    <Badge tone="bad" shape="ring">
      No recent figures
    </Badge>
  )
}
