import { type Static, Type } from "@sinclair/typebox"
import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"
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

export interface Organization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly timeZone: string
}

export const organizationFields = ({ name, timeZone }: Organization) => ({ name, timeZone })

export type TypedOrganization = Omit<Organization, "id">
export type OrganizationErrors = Readonly<Partial<Record<keyof TypedOrganization, string>>>

const isName = checkFor(Name)

export function organizationErrors({ name, timeZone }: Omit<TypedOrganization, "slug">): OrganizationErrors {
  return {
    ...(!isName(name).ok && { name: "Enter a name of at most 200 characters." }),
    ...(!isTimeZone(timeZone) && { timeZone: "Enter a time zone, such as Europe/Berlin." }),
  }
}

export const MemberRole = Type.Union([Type.Literal("admin"), Type.Literal("member")], {
  description: "admin: keys, members and campaigns; member: sees and reports delivery.",
})
export type MemberRole = Static<typeof MemberRole>
