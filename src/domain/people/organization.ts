import { disableTypes, imageSize, types } from "image-size"
import { maskKeys } from "../api-key.ts"
import { type Errors, errorsIn, hasErrors } from "../errors.ts"
import { isTimeZone, type TimeZone } from "../time/time-zone.ts"
import { nameProblem, storedName } from "./person.ts"

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SLUG_CHARACTERS_MAX = 64
const ADDRESS_CHARACTERS_MAX = 500

/** The fields of an organization that people edit. Its slug never changes, because files and scripts refer to it. */
export interface OrganizationFields {
  readonly name: string
  readonly timeZone: TimeZone
  /** Printed on statements, with line breaks. */
  readonly address: string
}

export type OrganizationTexts = Readonly<Record<keyof OrganizationFields, string>>

/** Reads the texts of a form. A missing text is an empty one. */
export function readOrganization(
  texts: Partial<OrganizationTexts>,
): { readonly fields: OrganizationFields } | { readonly errors: Errors } {
  const { name = "", timeZone: typedZone = "", address = "" } = texts
  const timeZone = readTimeZone(typedZone)
  const errors = errorsIn({
    name: nameProblem(name),
    timeZone: timeZone === null ? "Enter a city or a time zone, such as Berlin or Europe/Berlin." : undefined,
    address: address.length > ADDRESS_CHARACTERS_MAX ? "Enter at most 500 characters." : undefined,
  })
  if (hasErrors(errors) || timeZone === null) return { errors }
  return { fields: { name: storedName(name), timeZone, address: maskKeys(address) } }
}

/** A digest of what a form shows. If it differs from the stored one, another person has changed the organization. */
export const organizationVersion = ({ name, timeZone, address }: OrganizationFields): string =>
  Bun.hash(JSON.stringify([name, timeZone, address])).toString(36)

/** Finds a time zone by its name, or by its city if only one zone has it. */
function readTimeZone(text: string): TimeZone | null {
  const wanted = text.trim().replaceAll(" ", "_").toLowerCase()
  if (isTimeZone(wanted.toUpperCase())) return wanted.toUpperCase()
  const zones = Intl.supportedValuesOf("timeZone")
  const exact = zones.find((zone) => zone.toLowerCase() === wanted)
  const ofCity = zones.filter((zone) => zone.toLowerCase().endsWith(`/${wanted}`))
  return exact ?? (ofCity.length === 1 ? (ofCity[0] ?? null) : null)
}

/** Why an organization can't have this slug. Undefined if it may. */
export function slugProblem(slug: string): string | undefined {
  const isSlug = slug.length <= SLUG_CHARACTERS_MAX && SLUG.test(slug)
  return isSlug ? undefined : "Enter a slug of lower-case letters, digits and single hyphens."
}

// Letters that Unicode doesn't take apart into a letter and its accent.
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
}

/** "Großer Herbst" becomes "grosser-herbst". Empty if no letter or digit is left. */
export function slugFrom(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return plain
    .replace(/\p{L}/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/^-|-$/g, "")
}

const MEDIA_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const

// SVG can hold scripts, and the other types are rare.
disableTypes(types.filter((type) => !(type in MEDIA_TYPES)))

/** The picture on an organization's reports and statements. */
export interface Logo {
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES]
  readonly base64: string
}

export const LOGO_BYTES_MAX = 256 * 1024
// A small file can decode to a picture of gigabytes.
const PIXELS_MAX = 4_000

/** Reads a picture by its content, whatever its name says. */
export function readLogo(bytes: Uint8Array): Logo | { readonly error: string } {
  if (bytes.length === 0) return { error: "Choose a picture." }
  if (bytes.length > LOGO_BYTES_MAX) return { error: `Choose a picture of at most ${LOGO_BYTES_MAX / 1024} KB.` }
  const picture = pictureIn(bytes)
  if (picture === null) return { error: "Choose a PNG, JPEG or WebP picture. This file is something else, or damaged." }
  const { mediaType, width, height } = picture
  if (width > PIXELS_MAX || height > PIXELS_MAX)
    return { error: `Choose a picture of at most ${PIXELS_MAX} pixels. This one has ${width} × ${height}.` }
  return { mediaType, base64: bytes.toBase64() }
}

function pictureIn(bytes: Uint8Array) {
  try {
    const { type = "", width, height } = imageSize(bytes)
    const mediaType = MEDIA_TYPES[type as keyof typeof MEDIA_TYPES]
    return mediaType === undefined || width < 1 || height < 1 ? null : { mediaType, width, height }
  } catch {
    return null
  }
}
