import { parseCidr } from "../callers/client-address.ts"
import { checkFor } from "../schema/check.ts"
import { DOMAIN_RULE, readDomain } from "../text/domain-name.ts"
import { shortText } from "../text/short-text.ts"
import { readNumber } from "../text/typed-number.ts"
import { readDuration } from "../time/moment.ts"
import { InvalidSetting, readEmailAddress } from "./service-settings.ts"

// What the settings of the server are made of: how each kind of value is read, and what is said about a wrong one.

export const PREFIX = "ADBOOTH_"

/** The variable of an option: ADBOOTH_PUBLIC_URL is --public-url. */
export const environmentName = (option: string) => `${PREFIX}${option.toUpperCase().replaceAll("-", "_")}`

/** As the command line hands it over: --public-url is publicUrl. */
export const attributeOf = (option: string) => option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** How a value is called in the help, and read: what is no such value comes back with why. */
type SettingKind<Value> = Readonly<{ placeholder: string; read: (text: string) => Value | InvalidSetting }>

/** One setting: an option of the command line, a variable of the environment, and a default. */
export interface Setting<Value> extends SettingKind<Value> {
  readonly fallback: Value
  readonly help: string
  /** The text as people may see it, where it can contain a secret. */
  readonly show?: (text: string) => string
  /** Set only by file or environment: everybody on the machine can read the options of a process. */
  readonly isSecret?: boolean
}

export const setting = <Value>(kind: SettingKind<Value>, fallback: Value, help: string) =>
  ({ ...kind, fallback, help }) satisfies Setting<Value>

/** A list, which is empty by default. */
export const several = <Part>(kind: SettingKind<readonly Part[]>, help: string) => setting(kind, [], help)

type Shown = Pick<Setting<unknown>, "show" | "isSecret">

/** A setting without a default. */
export const unset = <Value>(kind: SettingKind<Value>, help: string, shown: Shown = {}) => ({
  ...setting<Value | null>(kind, null, help),
  ...shown,
})

/** Of an address, nothing of who signs in with what: user:password@ is often put where it does not belong. */
export const withoutSignIn = (text: string): string => text.replace(/\/\/\S*@/, "//***@")

export const HIDDEN: Shown = { show: () => "***", isSecret: true }

const ON = /^(?:on|true|yes|1)$/i
const OFF = /^(?:off|false|no|0)$/i

/** A switch: the option alone turns it on. Without a default, so that the app can have a say. */
export function toggle(help: string) {
  const read = (value: string) => ON.test(value) || (OFF.test(value) ? false : new InvalidSetting("must be on or off"))
  return unset({ placeholder: "", read }, help)
}

/** Values that hold to a rule, which is the rest of a sentence that begins with the name of the setting. */
function kind<Value>(placeholder: string, read: (text: string) => Value | undefined, rule: string): SettingKind<Value> {
  return { placeholder, read: (value) => read(value) ?? new InvalidSetting(rule) }
}

/** Texts that hold to a rule. */
const texts = (placeholder: string, isValid: (text: string) => boolean, rule: string) =>
  kind(placeholder, (value) => (isValid(value) ? value : undefined), rule)

const LINE_CHARACTERS_MAX = 200
const isLine = checkFor(shortText(LINE_CHARACTERS_MAX, "one line"))

const line = (placeholder: string) =>
  texts(placeholder, (value) => isLine(value).ok, `must be one line of at most ${LINE_CHARACTERS_MAX} characters`)

export const text = (placeholder: string) => texts(placeholder, (value) => value !== "", "must not be empty")

export function wholeNumber(placeholder: string, min: number, max: number): SettingKind<number> {
  const read = (value: string) => {
    const number = readNumber(value, { decimals: 0, max })
    return number.ok && number.value >= min ? number.value : undefined
  }
  return kind(placeholder, read, `must be a whole number from ${min} to ${max}`)
}

export const oneOf = <const Choice extends string>(placeholder: string, ...choices: Choice[]): SettingKind<Choice> =>
  kind(placeholder, (value) => choices.find((choice) => choice === value), `must be one of ${choices.join(", ")}`)

/** A reader of the domain, as one of settings. The setting keeps the text. */
export function checkedBy(placeholder: string, check: (text: string) => unknown): SettingKind<string> {
  const read = (value: string) => {
    const result = check(value)
    return result instanceof InvalidSetting ? result : value
  }
  return { placeholder, read }
}

function webAddress(value: string): string | InvalidSetting {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    return new InvalidSetting("must be an address such as https://ads.example.com")
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    return new InvalidSetting("must have nothing after the host: https://ads.example.com")
  }
  return url.origin
}

/** A list separated by commas, of which every part must be valid. */
function list<Part>(placeholder: string, read: (part: string) => Part | InvalidSetting | undefined, rule: string) {
  const isValid = (part: Part | InvalidSetting | undefined): part is Part =>
    part !== undefined && !(part instanceof InvalidSetting)
  const readAll = (value: string): readonly Part[] | undefined => {
    const parts = value.split(",").map((part) => read(part.trim()))
    return parts.every(isValid) ? parts : undefined
  }
  return kind(placeholder, readAll, rule)
}

export const domains = (placeholder: string) => list(placeholder, readDomain, `must be domains ${DOMAIN_RULE}`)

export const DOMAINS = domains("DOMAIN,...")
export const LINE = line("TEXT")
export const DAYS_KEPT = wholeNumber("N", 1, 3_650)
export const DISK_MB = wholeNumber("MB", 1, 1_000_000_000)
export const DATABASE_URL = texts(
  "URL",
  (value) => /^postgres(ql)?:\/\//.test(value),
  "must be an address such as postgres://user@host:5432/database",
)
export const DURATION = kind("TIME", readDuration, "must be a time such as 30m, 24h or 7d")
export const PORT = wholeNumber("PORT", 0, 65_535)
export const PER_MINUTE = wholeNumber("N", 1, 1_000_000)
export const WEB_ADDRESS = { placeholder: "URL", read: webAddress }
export const WEB_ADDRESSES = list("URL,...", webAddress, "must be addresses such as https://ads.example.com")
export const CIDRS = list("CIDR,...", parseCidr, "must be addresses or networks such as 127.0.0.1,10.0.0.0/8")
export const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory"
export const ANY_URL = texts(
  "URL",
  (value) => /^https?:/.test(value) && URL.canParse(value),
  "must be an address that begins with https://",
)
export const EMAIL = kind("ADDRESS", readEmailAddress, "must be an email address such as adbooth@example.com")
export const EMAILS = list("ADDRESS,...", readEmailAddress, "must be email addresses such as me@example.com")
