import { type Static, Type } from "@sinclair/typebox"
import { checkFor } from "../schema/check.ts"
import { literals } from "../schema/schema-helpers.ts"
import { shortText, UNSEEN } from "../text/short-text.ts"
import { isTimeZone } from "../time/time-zone.ts"

export const Slug = Type.String({
  pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  maxLength: 64,
  title: "a short name of lower-case letters, digits and single hyphens",
})

export const Name = shortText(
  200,
  "a name of 1 to 200 characters, without control characters and without white space at either end",
)

export const TIME_ZONE_DEFAULT = "UTC"

export type Organization = Readonly<{ id: number; slug: string; name: string; timeZone: string }>

/** What its settings hold; the currency is that of new lines. */
export const organizationFields = ({ name, timeZone }: Organization, currency = "") => ({ name, timeZone, currency })

export type TypedOrganization = Omit<Organization, "id"> & { readonly currency?: string }
export type OrganizationErrors = Readonly<Partial<Record<keyof TypedOrganization, string>>>

const isName = checkFor(Name)

/** Why nothing can have this name, at the field where it was typed. */
export function nameErrors<Field extends string>(field: Field, name: string, rule = "Enter a name") {
  const without = new RegExp(`[${UNSEEN}]`).test(name)
    ? ", without characters that are invisible or turn text around"
    : ""
  const error = { [field]: name === "" ? `${rule}.` : `${rule} of at most 200 characters${without}.` }
  return (isName(name).ok ? {} : error) as Partial<Record<Field, string>>
}

export const organizationErrors = (typed: Omit<TypedOrganization, "slug">): OrganizationErrors => ({
  ...nameErrors("name", typed.name),
  ...(!isTimeZone(typed.timeZone) && { timeZone: "Enter a city or a time zone, such as Berlin or Europe/Berlin." }),
  ...(!/^(?:[A-Z]{3})?$/.test(typed.currency ?? "") && { currency: "Enter three letters, such as EUR." }),
})

export const MemberRole = literals(
  ["admin", "member"],
  "admin: keys, members and campaigns; member: sees and reports delivery.",
)
export type MemberRole = Static<typeof MemberRole>
