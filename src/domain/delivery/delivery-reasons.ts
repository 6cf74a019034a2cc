import type { JudgedLine } from "../campaign/package-line.ts"
import { ANY_UNIT, COUNTED_BASES, ONE_UNIT_ONLY, takesFraction, UNITS } from "../campaign/pricing-basis.ts"
import { numberProblem } from "../text/typed-number.ts"
import { formatMoment } from "../time/moment.ts"
import { dayInWords } from "../time/time-zone.ts"
import type { DeliveryItem, DeliveryReason, LineReason, Receipt } from "./delivery.ts"
import { complaintAbout } from "./item-complaint.ts"

/** What is known of a rejected item: nothing but the reason where it is listed later, among many. */
export type Rejected = Readonly<{ item?: unknown; line?: JudgedLine | undefined; receipt?: Receipt }>

interface Reason {
  /** One sentence for the developer of the sending program. It names the field. */
  readonly forPrograms: (item: never, line: JudgedLine, receipt: Receipt) => string
  /** A heading; `line` is what the line is called, where it is about one. */
  readonly title: (line?: string) => string
  /** For people, whether they typed the figure, uploaded it or look at what a program sent. */
  readonly forPeople: (rejected: Rejected) => string
  /** The field of a form that it is about; of a malformed item, the item says which. */
  readonly field: "quantity" | "as_of" | "package_id" | ""
}

/** How each reason to reject an item is worded, everywhere. In the order of the checks. */
const REASONS = {
  invalid_item: {
    forPrograms: (element: unknown) => complaintAbout(element).message,
    title: () => "Unreadable item",
    forPeople: ({ item, line }) =>
      item === undefined
        ? "A field is missing or not as expected, such as a number sent as text. The message names the field."
        : malformedInWords(item, line),
    field: "",
  },
  duplicate_package_id: {
    forPrograms: () => "package_id is in this request more than once: send one total per package.",
    title: () => "Line given twice",
    forPeople: () => "The same line is there more than once. The first total was used. Give one total per line.",
    field: "package_id",
  },
  not_seller: {
    forPrograms: () => "package_id is not a package that your organization sells.",
    title: () => "Unknown line or code",
    forPeople: () =>
      "None of your lines has this ID or code. Compare it with the line ID on the line’s page, or add the code first.",
    field: "package_id",
  },
  before_flight_start: {
    forPrograms: (_: DeliveryItem, { flightStart }) =>
      `The flight of this line starts on ${flightStart}: neither as_of nor today may be before it.`,
    title: (line) => `Measured before the flight${line === undefined ? "" : ` of ${line}`}`,
    forPeople: ({ line }) =>
      `The flight starts ${line === undefined ? "later" : `on ${dayInWords(line.flightStart)}`}. If it began earlier, change its first day.`,
    field: "as_of",
  },
  as_of_in_future: {
    forPrograms: ({ asOf }: DeliveryItem, _, { now, today, zone }) =>
      typeof asOf === "string"
        ? `as_of is later than today, which is ${today} in your organization's time zone (${zone}).`
        : `as_of is later than the time of receipt, ${formatMoment(now)}.`,
    title: () => "Measured in the future",
    forPeople: ({ receipt }) =>
      receipt === undefined
        ? "This is in the future. Give the time at which the total was measured."
        : `This is in the future: today is ${dayInWords(receipt.today)} in ${receipt.zone}.`,
    field: "as_of",
  },
  flat_rate_takes_no_quantity: {
    forPrograms: ({ unit }: DeliveryItem) => `${unit} must be left out, because this line is flat-rate.`,
    title: (line = "A flat-rate line") => `${line} takes no figure`,
    forPeople: () => "This line is flat-rate: it is delivered or not, and takes no figure.",
    field: "quantity",
  },
  quantity_required: {
    forPrograms: (_: DeliveryItem, { pricingBasis }) =>
      `${pricingBasis} is required, because this line is priced on it.`,
    title: (line = "the line") => `The figure of ${line} is missing or of the wrong kind`,
    forPeople: ({ line }) =>
      line === undefined ? `Give what the line is priced on: ${ANY_UNIT}.` : `Enter ${figureOf(line)}.`,
    field: "quantity",
  },
  internal_error: {
    forPrograms: () => "The item could not be stored because of an error on our side: send it again later.",
    title: () => "Error on our side",
    forPeople: () => "We could not store this. Nothing was changed. Try it again.",
    field: "",
  },
} satisfies Record<DeliveryReason, Reason>

export type DeliveryRefusal = Readonly<{ reason: DeliveryReason; message: string }>

/** Why a program's item is rejected, of which nothing else has to be known. */
const refusedAs = (reason: "duplicate_package_id" | "not_seller" | "internal_error"): DeliveryRefusal => ({
  reason,
  message: REASONS[reason].forPrograms(),
})

export const DUPLICATE = refusedAs("duplicate_package_id")
export const NOT_SELLER = refusedAs("not_seller")
export const NOT_STORED = refusedAs("internal_error")

export const malformed = (element: unknown): DeliveryRefusal => ({
  reason: "invalid_item",
  message: REASONS.invalid_item.forPrograms(element),
})

/** Adds the message to the reason that `judge` gave for a well-formed item of a line that the caller sells. */
export const refusal = (reason: LineReason, item: DeliveryItem, line: JudgedLine, receipt: Receipt) => ({
  reason,
  message: REASONS[reason].forPrograms(item, line, receipt),
})

/** Why an item was rejected, for people: a heading, a text, and the field of a form. `lineName` is for the heading. */
export function reasonForPeople(reason: DeliveryReason, rejected: Rejected = {}, lineName?: string) {
  const { title, forPeople, field }: Reason = REASONS[reason]
  const fieldOf = reason === "invalid_item" && rejected.item !== undefined ? formField(rejected.item) : field
  return { title: title(lineName), text: forPeople(rejected), field: fieldOf }
}

function formField(item: unknown): Reason["field"] {
  const { field } = complaintAbout(item)
  return field === "package_id" || field === "as_of" ? field : "quantity"
}

function malformedInWords(item: unknown, line: JudgedLine | undefined): string {
  const field = formField(item)
  if (field === "package_id") return "Not a valid line ID."
  if (field === "as_of") return "Enter a day such as 14 Nov 2026, or a day and a time."
  const fields = (item ?? {}) as Record<string, unknown>
  const sent = UNITS.filter((unit) => fields[unit] !== undefined)
  if (sent.length > 1) return `Enter ${ONE_UNIT_ONLY}.`
  const [misread] = sent.flatMap((unit) => numberProblem(fields[unit], COUNTED_BASES[unit].number) ?? [])
  return misread ?? `Not a valid number. Enter ${figureOf(line)}.`
}

function figureOf(line: JudgedLine | undefined): string {
  const unit = line?.pricingBasis ?? UNITS[0]
  if (unit === "flat_rate") return "nothing: this line is flat-rate"
  return `the ${unit} delivered so far, as a ${takesFraction(unit) ? "number" : "whole number"}`
}
