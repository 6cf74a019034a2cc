import { Type } from "@sinclair/typebox"

// Where AdCP names a format, we give a pattern, because a pattern means the same to every JSON Schema validator.

export const Text = Type.String()
export const NonEmpty = Type.String({ minLength: 1 })
export const Flag = Type.Boolean()
export const Whole = Type.Integer({ minimum: 0 })
export const AtLeastOne = Type.Integer({ minimum: 1 })
export const Amount = Type.Number({ minimum: 0 })
export const Positive = Type.Number({ exclusiveMinimum: 0 })
export const Fraction = Type.Number({ minimum: 0, maximum: 1 })
export const Percent = Type.Number({ minimum: 0, maximum: 100 })
export const AnyObject = Type.Object({})

// Longer than any real address, and short enough to be checked fast.
const ADDRESS_CHARACTERS_MAX = 8_000

export const Identifier = Type.String({ title: "letters, digits, _ and - only", pattern: "^[a-zA-Z0-9_-]+$" })
export const Currency = Type.String({ title: "a currency code such as EUR", pattern: "^[A-Z]{3}$" })
export const Country = Type.String({ title: "a country code such as DE", pattern: "^[A-Z]{2}$" })
export const Ratio = Type.String({ title: "a ratio such as 16:9", pattern: "^[0-9]+(\\.[0-9]+)?:[0-9]+(\\.[0-9]+)?$" })
export const Domain = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a lower-case domain such as example.com",
  pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$",
})

const LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
const HOST = `${LABEL}(\\.${LABEL})*`
const URL_CHARACTER = "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@/?]|%[0-9a-fA-F]{2})"
const ADDRESS = `(?:${HOST}|\\[::1\\])(?::[0-9]{1,5})?(?:[/?]${URL_CHARACTER}*)?(?:#${URL_CHARACTER}*)?`

export const Hostname = Type.String({
  maxLength: 253,
  title: "a host name such as cdn.example.com",
  pattern: `^${HOST}$`,
})
export const Url = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a URL such as https://example.com/",
  pattern: `^https?://${ADDRESS}$`,
})
export const HttpsUrl = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "a URL that starts with https://",
  pattern: `^https://${ADDRESS}$`,
})
export const Email = Type.String({
  maxLength: ADDRESS_CHARACTERS_MAX,
  title: "an email address",
  pattern: `^[a-zA-Z0-9_+-]+(\\.[a-zA-Z0-9_+-]+)*@${LABEL}(\\.${LABEL})+$`,
})

// Only days that exist.
const LONG_MONTH = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"
const SHORT_MONTH = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)"
const FEBRUARY = "02-(?:0[1-9]|1\\d|2[0-8])"
const LEAP_YEAR = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const DATE = `(?:\\d{4}-(?:${LONG_MONTH}|${SHORT_MONTH}|${FEBRUARY})|${LEAP_YEAR}-02-29)`
const TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)"

export const DateText = Type.String({ title: "a date such as 2026-03-01", pattern: `^${DATE}$` })
export const Timestamp = Type.String({
  title: "a timestamp with its offset, such as 2026-03-01T12:00:00Z",
  pattern: `^${DATE}[Tt]${TIME}$`,
})
