import { InvalidSetting, readEmailAddress } from "../alerts/alert-settings.ts"
import { parseCidr } from "../callers/client-address.ts"
import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"
import { readNumber } from "../text/typed-number.ts"
import { type Moment, readDuration } from "../time/moment.ts"

// What the settings of the server are made of: how each kind of value is read, and what is said about a wrong one.

/** One setting: an option of the command line, a variable of the environment, and a default. */
export interface Setting<Value> {
  readonly placeholder: string
  readonly fallback: Value
  /** Parses the given text; a complaint says why it is not valid. */
  readonly read: (text: string) => Value | InvalidSetting
  readonly help: string
  /** The text as people may see it, where it can contain a secret. */
  readonly show?: (text: string) => string
  /** Set only by file or environment: everybody on the machine can read the options of a process. */
  readonly isSecret?: boolean
}

export const setting = <Value>(placeholder: string, fallback: Value, read: Setting<Value>["read"], help: string) =>
  ({ placeholder, fallback, read, help }) satisfies Setting<Value>

const ON = /^(?:on|true|yes|1)$/i
const OFF = /^(?:off|false|no|0)$/i

/** A switch: the option alone turns it on. Without a default, so that the app can have a say. */
export const toggle = (help: string) =>
  unset("", (value) => ON.test(value) || (OFF.test(value) ? false : new InvalidSetting("must be on or off")), help)

/** A list, which is empty by default. */
export const several = <Part>(placeholder: string, read: Setting<readonly Part[]>["read"], help: string) =>
  setting<readonly Part[]>(placeholder, [], read, help)

type Shown = Pick<Setting<unknown>, "show" | "isSecret">

/** A setting without a default. */
export const unset = <Value>(placeholder: string, read: Setting<Value>["read"], help: string, shown: Shown = {}) => ({
  ...setting<Value | null>(placeholder, null, read, help),
  ...shown,
})

export const HIDDEN: Shown = { show: () => "***", isSecret: true }

const LINE_CHARACTERS_MAX = 200
const isLine = checkFor(shortText(LINE_CHARACTERS_MAX, "one line"))

export const line = (value: string): string | InvalidSetting =>
  isLine(value).ok ? value : new InvalidSetting(`must be one line of at most ${LINE_CHARACTERS_MAX} characters`)

export const text = (value: string): string | InvalidSetting =>
  value === "" ? new InvalidSetting("must not be empty") : value

export function wholeNumber(min: number, max: number) {
  return (value: string): number | InvalidSetting => {
    const read = readNumber(value, { decimals: 0, max })
    return read.ok && read.value >= min
      ? read.value
      : new InvalidSetting(`must be a whole number from ${min} to ${max}`)
  }
}

export function oneOf<const Choices extends readonly string[]>(...choices: Choices) {
  return (value: string): Choices[number] | InvalidSetting =>
    choices.includes(value) ? value : new InvalidSetting(`must be one of ${choices.join(", ")}`)
}

export function webAddress(value: string): string | InvalidSetting {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    return new InvalidSetting("must be an address such as https://ads.example.com")
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    return new InvalidSetting("must have nothing after the host: https://ads.example.com")
  }
  return url.origin
}

/** A list separated by commas, of which every part must be valid. */
function list<Part>(read: (part: string) => Part | InvalidSetting | undefined, rule: string) {
  return (value: string): readonly Part[] | InvalidSetting => {
    const parts = value.split(",").map((part) => read(part.trim()))
    const isValid = (part: Part | InvalidSetting | undefined): part is Part =>
      part !== undefined && !(part instanceof InvalidSetting)
    return parts.every(isValid) ? parts : new InvalidSetting(rule)
  }
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** A domain in small letters; undefined for anything else. */
export function readDomain(value: string): string | undefined {
  const name = value.toLowerCase()
  return DOMAIN.test(name) ? name : undefined
}

export function databaseUrl(value: string): string | InvalidSetting {
  return /^postgres(ql)?:\/\//.test(value)
    ? value
    : new InvalidSetting("must be an address such as postgres://user@host:5432/database")
}

/** A reader of the domain, as one of settings. The setting keeps the text. */
export function checkedBy(read: (text: string) => unknown) {
  return (value: string): string | InvalidSetting => {
    const result = read(value)
    return result instanceof InvalidSetting ? result : value
  }
}

export const duration = (value: string): Moment | InvalidSetting =>
  readDuration(value) ?? new InvalidSetting("must be a time such as 30m, 24h or 7d")

export const port = wholeNumber(0, 65_535)
export const perMinute = wholeNumber(1, 1_000_000)
export const webAddresses = list(webAddress, "must be addresses such as https://ads.example.com")
export const domains = list(readDomain, "must be domains such as news.example.com")
export const cidrs = list(parseCidr, "must be addresses or networks such as 127.0.0.1,10.0.0.0/8")

export const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory"
export const url = (value: string) =>
  /^https?:/.test(value) && URL.canParse(value)
    ? value
    : new InvalidSetting("must be an address that begins with https://")
export const email = (value: string) =>
  readEmailAddress(value) ?? new InvalidSetting("must be an email address such as adbooth@example.com")

export const emailAddresses = list(readEmailAddress, "must be email addresses such as me@example.com")
