import { isIP } from "node:net"
import { isAddress } from "../people/person.ts"
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE, type Moment } from "../time/moment.ts"

/** How the text of a setting is read. `rule` ends the sentence that begins with the name of the setting. */
export interface SettingKind<Value> {
  /** What the help shows in place of the value. Empty for a switch. */
  readonly placeholder: string
  readonly rule: string
  /** Null if the text breaks the rule. */
  readonly read: (text: string) => Value | null
}

export const anyText = (placeholder: string): SettingKind<string> => ({
  placeholder,
  rule: "must not be empty",
  read: (text) => text || null,
})

export const wholeNumber = (placeholder: string, min: number, max: number): SettingKind<number> => ({
  placeholder,
  rule: `must be a whole number from ${min} to ${max}`,
  read(text) {
    const number = Number(text)
    return /^\d{1,15}$/.test(text) && number >= min && number <= max ? number : null
  },
})

export const oneOf = <const Word extends string>(placeholder: string, ...words: Word[]): SettingKind<Word> => ({
  placeholder,
  rule: `must be ${words.join(" or ")}`,
  read: (text) => words.find((word) => word === text) ?? null,
})

/** A text that a reader of its own checks. The setting keeps the text. */
export const checked = (placeholder: string, read: (text: string) => unknown, rule: string): SettingKind<string> => ({
  placeholder,
  rule,
  read: (text) => (read(text) === null ? null : text),
})

/** Values separated by commas. Every one of them must be right. */
export const listOf = <Value>({ placeholder, rule, read }: SettingKind<Value>): SettingKind<readonly Value[]> => ({
  placeholder: `${placeholder},...`,
  rule: `${rule} (separate several with commas)`,
  read(text) {
    const values = text.split(",").map((part) => read(part.trim()))
    const valid = values.filter((value) => value !== null)
    return valid.length === values.length ? valid : null
  },
})

/** The option alone turns it on. A variable needs a word. */
export const SWITCH: SettingKind<boolean> = {
  placeholder: "",
  rule: "must be on or off",
  read(text) {
    if (/^(on|true|yes|1)$/i.test(text)) return true
    return /^(off|false|no|0)$/i.test(text) ? false : null
  },
}

export const PORT = wholeNumber("port", 0, 65_535)
export const PER_MINUTE = wholeNumber("number", 1, 1_000_000)

const UNITS: Readonly<Record<string, Moment>> = {
  m: MICROS_PER_MINUTE,
  h: MICROS_PER_HOUR,
  d: MICROS_PER_DAY,
}

/** A time such as 30m, 24h or 7d, in microseconds. */
export const DURATION: SettingKind<Moment> = {
  placeholder: "time",
  rule: "must be a time such as 30m, 24h or 7d",
  read(text) {
    const [, number = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
    const micros = UNITS[unit]
    return micros === undefined ? null : Number(number) * micros
  },
}

const isHttp = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:"

/** The scheme, the host and the port of a web server, without anything behind them. */
export const ORIGIN: SettingKind<string> = {
  placeholder: "url",
  rule: "must be a URL without a path, such as https://ads.example.com",
  read(text) {
    const url = URL.parse(text)
    const isOrigin = url !== null && isHttp(url) && url.href === `${url.origin}/`
    return isOrigin ? url.origin : null
  },
}

export const WEB_URL: SettingKind<string> = {
  placeholder: "url",
  rule: "must be a URL that begins with https://",
  read(text) {
    const url = URL.parse(text)
    return url !== null && isHttp(url) ? text : null
  },
}

const DOMAIN_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

export const DOMAIN: SettingKind<string> = {
  placeholder: "domain",
  rule: "must be a domain such as ads.example.com",
  read(text) {
    const domain = text.toLowerCase()
    return DOMAIN_NAME.test(domain) ? domain : null
  },
}

/** An address or a network, such as 10.0.0.0/8. */
export const NETWORK: SettingKind<string> = {
  placeholder: "network",
  rule: "must be an IP address or a network such as 10.0.0.0/8",
  read(text) {
    const [address = "", bits = "0", ...more] = text.split("/")
    const version = isIP(address)
    const isNetwork = version !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits)
    return isNetwork && Number(bits) <= (version === 4 ? 32 : 128) ? text : null
  },
}

export const EMAIL: SettingKind<string> = {
  placeholder: "email",
  rule: "must be an email address such as adbooth@example.com",
  read: (text) => (isAddress(text) ? text : null),
}

/** The value of a setting that is in force, and where it was set. */
export interface InForce<Value> {
  readonly value: Value
  readonly from: "option" | "app" | "default"
}

/** An option of the server takes precedence over what was chosen in the app. This is the only place that decides. */
export function inForce<Value>(option: Value | null, chosen: Value | null, fallback: Value): InForce<Value> {
  if (option !== null) return { value: option, from: "option" }
  return chosen !== null ? { value: chosen, from: "app" } : { value: fallback, from: "default" }
}

const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?@]*)@)?([^/?@]*)(\/[^?]*)?(\?.*)?$/

/** The URL without its password, or "***" if it can't be read: its password may be anywhere in it. */
export function withoutPassword(url: string): string {
  const [, scheme, user, host, path = "", query = ""] = FORM.exec(url) ?? []
  if (scheme === undefined || `${path}${query}`.includes("@")) return "***"
  const signsIn = user === undefined ? "" : `${user.replace(/(:|%3a).*$/i, ":***")}@`
  return `${scheme}${signsIn}${host}${path}${query.replace(/([?&]password=)[^&]*/gi, "$1***")}`
}

/** Whether the URL shows a password. */
export const hasPassword = (url: string): boolean => withoutPassword(url).includes("***")

export const DATABASE_URL = checked(
  "url",
  (text) => (FORM.test(text) ? text : null),
  "must be a URL such as postgres://user@host:5432/database (in a password, write / as %2F and @ as %40)",
)
