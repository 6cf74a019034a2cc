import { ONE_UNIT_ONLY, takesFraction, UNITS, type Unit } from "../campaign/pricing-basis.ts"
import { WHOLE_NUMBER_MAX } from "../limits.ts"
import { isObject } from "../schema/batch.ts"
import { parseTimestamp } from "../time/moment.ts"
import { readItem } from "./delivery.ts"

/** The invalid field of a malformed item (empty for the item itself), and what is wrong with it, for the developer of the sending program. */
type ItemComplaint = Readonly<{ field: "package_id" | Unit | "as_of" | ""; message: string }>

/** Repeats nothing of the input except digits: somebody may have sent a key instead of a figure. */
export function complaintAbout(element: unknown): ItemComplaint {
  if (!isObject(element)) return { field: "", message: `An item must be an object, not ${kindOf(element)}.` }
  const fields = element as Record<string, unknown>
  const { package_id, as_of } = fields
  if (readItem({ package_id }) === undefined) return { field: "package_id", message: packageIdRule(package_id) }
  if (as_of !== undefined && readItem({ package_id, as_of }) === undefined)
    return { field: "as_of", message: asOfRule(as_of) }
  const [field = UNITS[0], ...others] = UNITS.filter((unit) => fields[unit] !== undefined)
  return { field, message: others.length > 0 ? `Send ${ONE_UNIT_ONLY}.` : figureRule(field, fields[field]) }
}

function packageIdRule(value: unknown): string {
  if (value === undefined) return "package_id is required."
  if (typeof value !== "string") return `package_id must be a string that is a UUID, not ${kindOf(value)}.`
  return "package_id must be a UUID, such as 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01."
}

function figureRule(field: Unit, value: unknown): string {
  if (typeof value !== "number") return `${field} must be a number, not ${kindOf(value)}.`
  if (value < 0) return `${field} must not be negative.`
  if (!takesFraction(field) && value % 1 !== 0 && Number.isFinite(value))
    return `${field} must be a whole number, without a fraction.`
  return `${field} must not be above ${WHOLE_NUMBER_MAX}.`
}

const AS_OF_FORMS = "a date such as 2026-11-14 or an RFC 3339 timestamp such as 2026-11-14T18:30:00+01:00"
const LOOKS_RIGHT = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/

function asOfRule(value: unknown): string {
  if (typeof value !== "string") return `as_of must be ${AS_OF_FORMS}, not ${kindOf(value)}.`
  if (parseTimestamp(`${value}Z`) !== undefined)
    return "as_of has no time zone: end it with Z or an offset such as +01:00."
  return LOOKS_RIGHT.test(value)
    ? "as_of is a day, a time or an offset that does not exist."
    : `as_of must be ${AS_OF_FORMS}.`
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  const kind = typeof value
  return kind === "object" ? "an object" : `a ${kind}`
}
