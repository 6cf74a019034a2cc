import { type Cidr, parseCidr } from "./domain/client-address.ts"
import {
  AGENT_CALLS_ANONYMOUS_PER_MINUTE,
  AGENT_CALLS_KEYED_PER_MINUTE,
  BODY_BYTES_MAX,
  CALL_LOG_DAYS,
  CALL_LOG_MEBIBYTES,
  CALL_LOG_ROWS,
  INGEST_REQUESTS_PER_MINUTE,
} from "./domain/limits.ts"
import { readNumber } from "./domain/text/typed-number.ts"
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "./domain/time/moment.ts"

/** One setting: an option of the command line, a variable of the environment, and a value when neither is given. */
interface Setting<Value> {
  readonly option: string
  readonly placeholder: string
  readonly help: string
  readonly fallback: Value
  /** The value that a text means; a sentence when it means none. */
  readonly read: (text: string) => Value | Complaint
}

class Complaint {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

function setting<Value>(
  option: string,
  placeholder: string,
  fallback: Value,
  read: Setting<Value>["read"],
  help: string,
) {
  return { option, placeholder, fallback, read, help } satisfies Setting<Value>
}

const text = (value: string): string | Complaint => (value === "" ? new Complaint("must not be empty") : value)

function wholeNumber(min: number, max: number) {
  return (value: string): number | Complaint => {
    const read = readNumber(value, { decimals: 0, max })
    return read.ok && read.value >= min ? read.value : new Complaint(`must be a whole number from ${min} to ${max}`)
  }
}

function oneOf<const Choices extends readonly string[]>(...choices: Choices) {
  return (value: string): Choices[number] | Complaint =>
    choices.includes(value) ? value : new Complaint(`must be one of ${choices.join(", ")}`)
}

function webAddress(value: string): string | null | Complaint {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    return new Complaint("must be an address such as https://ads.example.com")
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    return new Complaint("must have nothing behind the host: https://ads.example.com")
  }
  return url.origin
}

function webAddresses(value: string): readonly string[] | Complaint {
  const addresses = value.split(",").map((address) => webAddress(address.trim()))
  const isAddress = (address: string | null | Complaint): address is string => typeof address === "string"
  return addresses.every(isAddress) ? addresses : new Complaint("must be addresses such as https://ads.example.com")
}

function domains(value: string): readonly string[] | Complaint {
  const names = value.split(",").map((name) => name.trim().toLowerCase())
  const isDomain = (name: string) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name)
  return names.every(isDomain) ? names : new Complaint("must be domains such as news.example.com")
}

function cidrs(value: string): readonly Cidr[] | Complaint {
  const blocks = value.split(",").map(parseCidr)
  const isBlock = (block: Cidr | undefined): block is Cidr => block !== undefined
  return blocks.every(isBlock) ? blocks : new Complaint("must be addresses or networks such as 127.0.0.1,10.0.0.0/8")
}

function duration(value: string): Moment | null | Complaint {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(value) ?? []
  const micros = Number(count) * (MICROS_BY_UNIT[unit] ?? 0)
  return micros > 0 ? micros : new Complaint("must be a time such as 30m, 24h or 7d")
}

const MICROS_BY_UNIT: Readonly<Record<string, Moment>> = {
  s: MICROS_PER_SECOND,
  m: 60 * MICROS_PER_SECOND,
  h: 3_600 * MICROS_PER_SECOND,
  d: MICROS_PER_DAY,
}

const port = wholeNumber(0, 65_535)
const perMinute = wholeNumber(1, 1_000_000)

// Every setting of the server. The command line, the environment, `adbooth config` and the documentation derive from this table.
export const SETTINGS = {
  data: setting("data", "DIR", "./data", text, "where the database lives"),
  host: setting("host", "HOST", "127.0.0.1", text, "address to listen on; 0.0.0.0 for every one"),
  port: setting("port", "PORT", 3000, port, "port to listen on; 0 picks a free one"),
  publicUrl: setting<string | null>(
    "public-url",
    "URL",
    null,
    webAddress,
    "address under which the world reaches this server",
  ),
  operatorEmail: setting<string | null>(
    "operator-email",
    "ADDRESS",
    null,
    text,
    "make this person the operator at the first start; needs --operator-password-file",
  ),
  operatorPasswordFile: setting<string | null>(
    "operator-password-file",
    "FILE",
    null,
    text,
    "where that person's first password is read from",
  ),
  agentPort: setting<number | null>("agent-port", "PORT", null, port, "give the sales agent a port of its own"),
  agentUrl: setting<string | null>(
    "agent-url",
    "URL",
    null,
    webAddress,
    "address under which the world reaches the sales agent, if it is another",
  ),
  allowOrigin: setting<readonly string[]>(
    "allow-origin",
    "URL,...",
    [],
    webAddresses,
    "further addresses by which the sales agent may be called, and that links may begin with",
  ),
  callLogDays: setting(
    "call-log-days",
    "N",
    CALL_LOG_DAYS,
    wholeNumber(1, 3_650),
    "days for which calls of the sales agent are kept",
  ),
  callLogRows: setting(
    "call-log-rows",
    "N",
    CALL_LOG_ROWS,
    wholeNumber(1, 100_000_000),
    "calls of the sales agent that are kept; beyond that the oldest are removed",
  ),
  callLogMb: setting(
    "call-log-mb",
    "MB",
    CALL_LOG_MEBIBYTES,
    wholeNumber(1, 1_000_000),
    "size of the call log in MB; beyond that the oldest calls are removed",
  ),
  publishAdagents: setting<readonly string[]>(
    "publish-adagents",
    "DOMAIN,...",
    [],
    domains,
    "serve adagents.json: this agent sells for these domains",
  ),
  publishBrand: setting<string | null>(
    "publish-brand",
    "NAME",
    null,
    text,
    "serve brand.json: the company that runs this agent",
  ),
  trustProxy: setting<readonly Cidr[]>(
    "trust-proxy",
    "CIDR,...",
    [],
    cidrs,
    "proxies whose X-Forwarded-For is believed",
  ),
  maxBody: setting("max-body", "BYTES", BODY_BYTES_MAX, wholeNumber(1_024, 1_073_741_824), "largest request body"),
  logFormat: setting<"text" | "json" | null>(
    "log-format",
    "FORMAT",
    null,
    oneOf("text", "json"),
    "text or json; text on a terminal, json otherwise",
  ),
  limitIngest: setting(
    "limit-ingest",
    "N",
    INGEST_REQUESTS_PER_MINUTE,
    perMinute,
    "ingest requests a minute, per key and feed",
  ),
  limitAgentAnonymous: setting(
    "limit-agent-anonymous",
    "N",
    AGENT_CALLS_ANONYMOUS_PER_MINUTE,
    perMinute,
    "agent calls a minute without a key, per address",
  ),
  limitAgentKeyed: setting(
    "limit-agent-keyed",
    "N",
    AGENT_CALLS_KEYED_PER_MINUTE,
    perMinute,
    "agent calls a minute, per agent key",
  ),
  backupEvery: setting<Moment | null>(
    "backup-every",
    "TIME",
    null,
    duration,
    "make a checked backup so often, such as 24h; off unless set",
  ),
  backupKeep: setting("backup-keep", "N", 7, wholeNumber(1, 10_000), "scheduled backups to keep; older ones go"),
  backupDir: setting<string | null>("backup-dir", "DIR", null, text, "where they go; DATA/backups unless set"),
  metricsPort: setting<number | null>(
    "metrics-port",
    "PORT",
    null,
    port,
    "answer Prometheus at /metrics on a port of its own; off unless set",
  ),
}

export type SettingName = keyof typeof SETTINGS
export type Config = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]["fallback"] }
/** What a server leaves behind of its settings, so that the doctor can judge them. */
export type ServedWith = Pick<Config, "host" | "publicUrl" | "trustProxy" | "backupEvery">
export type Origin = "option" | "environment" | "default"
export type Environment = Readonly<Record<string, string | undefined>>

export interface Settled {
  readonly config: Config
  readonly origins: Readonly<Record<SettingName, Origin>>
  /** The variable of the environment that sets each, or would set it. */
  readonly variables: Readonly<Record<SettingName, string>>
  /** Each value as somebody would write it; null where nothing is set. */
  readonly texts: Readonly<Record<SettingName, string | null>>
  /** What is wrong with the settings given, as sentences; the config then has the defaults in their place. */
  readonly problems: readonly string[]
}

function environmentName(option: string): string {
  return `ADBOOTH_${option.toUpperCase().replaceAll("-", "_")}`
}

/** Settles every setting: the option first, then the environment, then the default. */
export function settle(options: Readonly<Partial<Record<string, unknown>>>, environment: Environment): Settled {
  const config: Record<string, unknown> = {}
  const origins: Record<string, Origin> = {}
  const texts: Record<string, string | null> = {}
  const variables: Record<string, string> = {}
  const problems: string[] = []
  for (const [name, one] of Object.entries(SETTINGS)) {
    const given = givenFor(name as SettingName, one.option, options, environment)
    const value = given === undefined ? one.fallback : (one.read as (text: string) => unknown)(given.text)
    if (value instanceof Complaint) problems.push(`${given?.label} ${value.sentence}; it is "${given?.text}".`)
    config[name] = value instanceof Complaint ? one.fallback : value
    origins[name] = given?.origin ?? "default"
    variables[name] = given?.origin === "environment" ? given.label : environmentName(one.option)
    texts[name] = given?.text ?? (one.fallback === null ? null : String(one.fallback))
  }
  return {
    config: config as Config,
    origins: origins as Settled["origins"],
    texts: texts as Settled["texts"],
    variables: variables as Settled["variables"],
    problems,
  }
}

interface Given {
  readonly text: string
  readonly label: string
  readonly origin: Origin
}

function givenFor(
  name: SettingName,
  option: string,
  options: Partial<Record<string, unknown>>,
  environment: Environment,
): Given | undefined {
  const chosen = options[name]
  if (typeof chosen === "string") return { text: chosen, label: `--${option}`, origin: "option" }
  // PORT is what hosting platforms set.
  const variables = name === "port" ? [environmentName(option), "PORT"] : [environmentName(option)]
  for (const label of variables) {
    const value = environment[label]
    if (value !== undefined && value !== "") return { text: value, label, origin: "environment" }
  }
  return undefined
}
