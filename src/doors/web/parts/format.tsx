import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { memoize, once } from "../../../domain/memoize.ts"
import { coinDigits } from "../../../domain/sale/money.ts"
import { formatMoment, MICROS_PER_DAY, type Moment } from "../../../domain/time/moment.ts"
import { ago, dayInWords, dayOf, type TimeZone, timeInWords, timeOfDay } from "../../../domain/time/time-zone.ts"

// Created at first use: together they would take a tenth of the program's start.
const number = once(() => new Intl.NumberFormat("en", { maximumFractionDigits: 6 }))
const percent = once(() => new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 }))

export const formatNumber = (value: number | bigint): string => number().format(value)
/** One and many: 1 row, 2 rows. */
export const formatCount = (count: number, singular: string, many = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : many}`

const lists = once(() => ({
  and: new Intl.ListFormat("en-GB", { type: "conjunction" }),
  or: new Intl.ListFormat("en-GB", { type: "disjunction" }),
}))

/** A, B and C; with more than `most` of them: A, B and 5 more. */
export function listInWords(words: readonly string[], most: number, word: "and" | "or" = "and"): string {
  const rest = words.length - most
  return lists()[word].format(rest > 0 ? [...words.slice(0, most), `${formatNumber(rest)} more`] : words)
}

const FROM_RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** A · B · C. A name that is written from right to left stays within its part: it would draw the numbers after it to its other side. */
export const dotted = (...parts: readonly string[]): string =>
  parts.map((part) => (FROM_RIGHT_TO_LEFT.test(part) ? `\u2068${part}\u2069` : part)).join(" · ")

export const formatPercent = (share: number): string => percent().format(share)

// More decimal places than usual are shown where there are any: a price of 0.0045 is not 0.00.
const moneyFormat = memoize(200, (currency: string) => {
  // Never the short symbol: $ is the dollar of a dozen countries, and kr the crown of four.
  const style = currency === "" ? { minimumFractionDigits: 2 } : ({ style: "currency", currency } as const)
  return new Intl.NumberFormat("en", { maximumFractionDigits: 6, ...style })
})

/** An amount as people write it: €14.50. As text it is exact, however many digits it has. Without a currency it is a plain number with two decimal places. */
export const formatMoney = (amount: number | `${number}`, currency: string | null): string =>
  moneyFormat(currency ?? "").format(amount)

/** A sum, rounded to the smallest coin: €9,384.85. */
export function formatSum(amount: number, currency: string | null): string {
  const digits = currency === null ? 2 : coinDigits(currency)
  return formatMoney(Math.round(amount * 10 ** digits) / 10 ** digits, currency)
}

/** A calendar date: 1 Nov 2026. */
export const formatDate = dayInWords

const shortDateFormat = once(
  () => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
)

/** A calendar date of about now: 1 Nov. */
export const formatShortDate = (date: string): string => shortDateFormat().format(new Date(`${date}T00:00:00Z`))

const longDateFormat = once(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }))

/** A calendar date with its weekday: Sunday 1 November 2026. */
export const formatLongDate = (date: string): string => longDateFormat().format(new Date(`${date}T00:00:00Z`))

/** For `formatFlight`: no year goes without saying. */
export const ALL_YEARS = "-"

/** A flight in a table: 12 Oct – 5 Dec, with the years where they are not `year`. Where it has no room, it breaks between its days. */
export function formatFlight(from: string, to: string | null, year: string): string {
  const isNow = from.startsWith(year) && (to === null || to.startsWith(year))
  const format = (day: string) => (isNow ? formatShortDate : formatDate)(day).replaceAll(" ", "\u00a0")
  if (to === null) return `From ${format(from)}`
  return from === to ? format(from) : `${format(from)}\u00a0– ${format(to)}`
}

/** A page has one clock, that of its reader. Whatever shows a time reads it, and then the page names its zone once. */
export type PageClock = Readonly<{ zone: TimeZone; now: Moment }> & { isRead: boolean }

export const ClockContext = createContext<PageClock>({ zone: "UTC", now: 0, isRead: false })

function useClock(): PageClock {
  const clock = useContext(ClockContext)
  clock.isRead = true
  return clock
}

type TimeProps = Readonly<{ at: Moment }>

/** A moment: 14 Nov, 18:30. Another year than this one is named; on what is printed and kept, each one is. */
export function Time({ at, isKept = false }: TimeProps & { readonly isKept?: boolean }) {
  const { zone, now } = useClock()
  const words = timeInWords(at, zone)
  const shown = isKept ? words : words.replace(` ${dayOf(now, zone).slice(0, 4)},`, ",")
  return <time datetime={formatMoment(at)}>{shown}</time>
}

export const Clock = ({ at }: TimeProps) => <time datetime={formatMoment(at)}>{timeOfDay(at, useClock().zone)}</time>

/** Nobody counts back further: then the date says more. */
const AGO_DAYS_MAX = 14

/** How long ago, or the date of what is long past, with the exact moment as a tooltip. */
export function Ago({ at }: TimeProps) {
  // How long ago is the same in every zone.
  const { zone, now } = useContext(ClockContext)
  return (
    <time datetime={formatMoment(at)} title={timeInWords(at, zone)}>
      {now - at > AGO_DAYS_MAX * MICROS_PER_DAY ? formatDate(dayOf(at, zone)) : ago(at, now, zone)}
    </time>
  )
}

/** The last words of a page that shows times. */
export const ZoneNote = ({ zone }: { readonly zone: TimeZone }) => <p class="hint zone">Times are in {zone}.</p>
