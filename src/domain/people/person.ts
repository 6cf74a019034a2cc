import { maskKeys, showsKey } from "../api-key.ts"
import { isTidy } from "../text.ts"

const NAME_CHARACTERS_MAX = 200

const EMAIL_CHARACTERS_MAX = 254

// They are invisible or turn text around, so that one name looks like another.
const UNSEEN = "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e007f}"
const HAS_UNSEEN = new RegExp(`[${UNSEEN}]`, "u")

// No characters that need quoting, because addresses are compared, printed and read aloud.
const PART = `[^\\s@"<>()\\[\\],;:\\\\\\p{Cc}${UNSEEN}]+`
const EMAIL = new RegExp(`^${PART}@${PART}$`, "u")

/** What is wrong with the name of a person or an organization. Undefined if it's fine. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "Enter a name."
  if (HAS_UNSEEN.test(name)) return "Enter a name without invisible characters."
  return isTidy(name, NAME_CHARACTERS_MAX) ? undefined : `Enter a name of at most ${NAME_CHARACTERS_MAX} characters.`
}

/** A name as it's stored. A key that was pasted into it is masked. */
export const storedName = (name: string): string => maskKeys(name)

export function emailProblem(email: string): string | undefined {
  if (email === "") return "Enter an email address."
  return isEmail(email) ? undefined : "Enter an email address like name@example.com."
}

/** An address of the internet, which has a dot in its domain. */
export function isEmail(email: string): boolean {
  const [, domain = ""] = email.split("@")
  const hasDot = /^[^.].*\.[^.]+$/.test(domain)
  return isAddress(email) && hasDot && !showsKey(email)
}

/** An address that a mail server may know, such as root@localhost. */
export const isAddress = (text: string): boolean => text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text)

/** In lower case, so that one person has one account however the address is typed. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

const ROLES = ["admin", "member"] as const

/** What a person may do in an organization. Members see and report delivery. Admins change everything. */
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** What an account may do, as an import file has it. */
interface ImportedRights {
  readonly isOperator: boolean
  /** The slug of the organization that the person belongs to. Null for none. */
  readonly organization: string | null
  readonly role: Role | null
}

interface StoredRights {
  readonly isOperator: boolean
  readonly seats: readonly { readonly organization: { readonly slug: string }; readonly role: Role }[]
}

/**
 * Why an import may not contain this person, or null if it may. An import creates accounts but never changes the rights of an
 * existing one: another person may have registered it under this address.
 */
export function importProblem(email: string, stored: StoredRights | null, imported: ImportedRights): string | null {
  if (stored === null) return null
  const seat = stored.seats.find(({ organization }) => organization.slug === imported.organization)
  const hasSeat = imported.organization === null || seat?.role === imported.role
  if (hasSeat && stored.isOperator === imported.isOperator) return null
  return `${email} already has an account with other rights. An import never changes the rights of an existing account: change them in the app.`
}
