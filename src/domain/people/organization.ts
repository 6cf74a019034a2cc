import { type Static, Type } from "@sinclair/typebox"
import { shortText } from "../text/short-text.ts"

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

/** A company that sells or buys. */
export interface Organization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly timeZone: string
}

/** What can be edited of an organization, as its revision sees it. */
export const organizationFields = ({ name, timeZone }: Organization) => ({ name, timeZone })

export const MemberRole = Type.Union([Type.Literal("admin"), Type.Literal("member")], {
  description: "admin: keys, members and campaigns; member: sees and reports delivery.",
})
export type MemberRole = Static<typeof MemberRole>
