import { type LineState, stateOf } from "../../../domain/campaign/line-state.ts"
import { expectedAt } from "../../../domain/campaign/pacing.ts"
import type { PricingBasis } from "../../../domain/campaign/package-line.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { Badge, type BadgeShape, type Tone } from "./badge.tsx"
import { PaceBar } from "./charts/pace-bar.tsx"
import { formatMoney, formatNumber, formatPercent } from "./format.tsx"
import { Ago } from "./time.tsx"

export const BASIS_LABELS: Readonly<Record<PricingBasis, string>> = {
  impressions: "Impressions",
  downloads: "Downloads",
  flat_rate: "Flat rate",
}

type BadgeLook = readonly [Tone, BadgeShape, string]

const STATES: Readonly<Record<LineState | "empty", BadgeLook>> = {
  no_recent_figures: ["bad", "ring", "No recent figures"],
  behind: ["warn", "down", "Behind"],
  over_delivered: ["over", "up", "Over-delivered"],
  ahead: ["info", "up", "Ahead"],
  on_pace: ["good", "dot", "On pace"],
  running: ["live", "dot", "Running"],
  ends_soon: ["info", "word", "Ends soon"],
  upcoming: ["off", "ring", "Upcoming"],
  ended: ["off", "word", "Ended"],
  delivered: ["good", "done", "Delivered"],
  empty: ["off", "dash", "No lines"],
}

/** The state of a line or a campaign, in the same words on every page. */
export function StateBadge({ state }: { readonly state: LineState | "empty" }) {
  const [tone, shape, words] = STATES[state]
  return (
    <Badge tone={tone} shape={shape}>
      {words}
    </Badge>
  )
}

type LineProps = Readonly<{ line: ShownLine; now: Moment }>

export const LineBadge = ({ line, now }: LineProps) => <StateBadge state={stateOf(line, now)} />

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
      isBehind={stateOf(line, now) === "behind"}
      big={big}
      {...(big && expected !== null && { plan: `Plan: ${formatNumber(Math.round(expected))}` })}
    />
  )
}

export function Measured({ line }: { readonly line: ShownLine }) {
  if (line.total === null) return <span class="soft">Nothing reported yet</span>
  return (
    <span class="soft">
      <Ago at={line.total.asOf} />
    </span>
  )
}
