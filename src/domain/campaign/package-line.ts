import { Type } from "@sinclair/typebox"
import { EXTERNAL_ID_CHARACTERS_MAX } from "../limits.ts"
import { shortText } from "../text/short-text.ts"
import type { CalendarDate } from "../time/moment.ts"
import type { PricingBasis } from "./pricing-basis.ts"

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
const LOWER_CASE = new RegExp(UUID.source.replaceAll("A-F", ""))

export const PackageId = Type.String({
  pattern: UUID.source,
  title: "a UUID",
  description: "The line ID for the API: a UUID, in upper or lower case.",
  examples: ["0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"],
})

/** A package id in lower case. */
export type PackageId = string

/** The seller's own id of a line, in its ad server for example: unique within the seller, compared exactly. */
export const ExternalId = Type.String({
  ...shortText(
    EXTERNAL_ID_CHARACTERS_MAX,
    "an ID of 1 to 128 characters, without control characters and without white space at either end",
  ),
  description: "The seller's own ID for the line.",
  examples: ["LI-20417"],
})

/** What of a line decides about a report. `linesSold` of both engines reads it, in SQL that no compiler checks. */
export type JudgedLine = Readonly<{ pricingBasis: PricingBasis; flightStart: CalendarDate }>

export function readPackageId(value: unknown): PackageId | undefined {
  if (typeof value !== "string" || value.length !== 36) return undefined
  // As nearly all are sent: asking for lower case takes as long as the rest.
  if (LOWER_CASE.test(value)) return value
  return UUID.test(value) ? value.toLowerCase() : undefined
}
