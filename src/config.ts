import {
  InvalidSetting,
  maskedSmtp,
  maskedWebhook,
  readSmtpUrl,
  readWebhookSecret,
  readWebhookUrl,
} from "./domain/alerts/alert-settings.ts"
import {
  AGENT_CALLS_ANONYMOUS_PER_MINUTE,
  AGENT_CALLS_KEYED_PER_MINUTE,
  CALL_LOG_DAYS,
  CALL_LOG_MEBIBYTES,
  INGEST_REQUESTS_PER_MINUTE,
  UPLOAD_MEBIBYTES,
} from "./domain/limits.ts"
import { BACKUPS_KEPT, BACKUPS_KEPT_MAX } from "./domain/operations/backup.ts"
import { readBucketAddress, readBucketKey } from "./domain/operations/bucket.ts"
import {
  checkedBy,
  cidrs,
  databaseUrl,
  domains,
  duration,
  email,
  emailAddresses,
  HIDDEN,
  LETS_ENCRYPT,
  line,
  oneOf,
  perMinute,
  port,
  type Setting,
  setting,
  several,
  text,
  toggle,
  unset,
  url,
  webAddress,
  webAddresses,
  wholeNumber,
} from "./domain/operations/setting.ts"
import { nearest } from "./domain/text/short-text.ts"
import { withoutPassword } from "./storage/postgres/engine/address.ts"

// Every setting of the server. The command line, the environment, `adbooth doctor --settings` and the documentation derive from this table.
// An option is named after its key: publicUrl is --public-url and ADBOOTH_PUBLIC_URL.
const table = {
  data: setting("DIR", "./data", text, "directory of the database; without ./data, commands take /var/lib/adbooth"),
  databaseUrl: unset("URL", databaseUrl, "PostgreSQL instead, such as postgres://user@host/database", {
    show: withoutPassword,
  }),
  databaseUrlFile: unset("FILE", text, "file with the database URL, to keep its password out of process lists"),
  host: setting("HOST", "127.0.0.1", text, "address to listen on; 0.0.0.0 for all"),
  port: setting("PORT", 3000, port, "port to listen on; 0 picks a free one"),
  publicUrl: unset("URL", webAddress, "address that others use for this server"),
  domain: several("NAME,...", domains, "get a certificate for this domain, and serve HTTPS"),
  acmeEmail: unset("ADDRESS", email, "where the authority writes to if something is wrong"),
  acmeDirectory: setting("URL", LETS_ENCRYPT, url, "another authority that speaks ACME"),
  tlsCert: unset("FILE", text, "your own certificate for HTTPS; needs --tls-key"),
  tlsKey: unset("FILE", text, "its key"),
  httpsPort: setting("PORT", 443, port, "port for HTTPS"),
  httpPort: setting("PORT", 80, port, "port for the authority's checks and the redirect"),
  operatorEmail: unset("ADDRESS", text, "create this operator at the first start"),
  operatorPasswordFile: unset("FILE", text, "file with the first operator's password"),
  agentPort: unset("PORT", port, "serve the sales agent on its own port"),
  agentUrl: unset("URL", webAddress, "address that others use for the sales agent, if different"),
  allowOrigin: several("URL,...", webAddresses, "more addresses of the sales agent, for links and pages that call it"),
  agentContact: unset("TEXT", line, "whom buyers ask for keys and orders: an address or a sentence"),
  agentDelivery: toggle("let agents read what their buyer's campaigns delivered (default: as chosen in the app)"),
  callLogDays: setting("N", CALL_LOG_DAYS, wholeNumber(1, 3_650), "days to keep calls of the sales agent"),
  callLogMb: setting(
    "MB",
    CALL_LOG_MEBIBYTES,
    wholeNumber(1, 1_000_000),
    "size of the call log in MB: three quarters for calls with keys, where the key with most loses its oldest first",
  ),
  publishAdagents: several("DOMAIN,...", domains, "serve adagents.json: this agent sells for these domains"),
  publishBrand: unset("NAME", line, "serve brand.json: the company that runs this agent; needs HTTPS"),
  trustProxy: several("CIDR,...", cidrs, "proxies whose X-Forwarded-For is trusted"),
  maxUploadMb: setting("MB", UPLOAD_MEBIBYTES, wholeNumber(1, 1_024), "largest file to upload, in MB"),
  presets: unset("DIR", text, "folder with your own presets (default: presets in --data)"),
  logFormat: unset("FORMAT", oneOf("text", "json"), "text or json (default: text on a terminal, else json)"),
  limitIngest: setting(
    "N",
    INGEST_REQUESTS_PER_MINUTE,
    perMinute,
    "ingest requests per minute, per API key and address",
  ),
  limitAgentAnonymous: setting(
    "N",
    AGENT_CALLS_ANONYMOUS_PER_MINUTE,
    perMinute,
    "agent calls per minute without a key, per address",
  ),
  limitAgentKeyed: setting("N", AGENT_CALLS_KEYED_PER_MINUTE, perMinute, "agent calls per minute, per buyer's key"),
  backupEvery: unset("TIME", duration, "how often to make a backup, such as 24h (default: as chosen in the app)"),
  backupKeep: unset(
    "N",
    wholeNumber(1, BACKUPS_KEPT_MAX),
    `scheduled backups to keep (default: ${BACKUPS_KEPT}, or as chosen in the app)`,
  ),
  backupTo: unset(
    "ADDRESS",
    checkedBy(readBucketAddress),
    "copy each scheduled backup to this bucket: s3://NAME/FOLDER",
  ),
  backupEndpoint: unset("URL", url, "address of the bucket's service (default: Amazon S3)"),
  backupRegion: unset("NAME", text, "region of the bucket, if needed"),
  backupKey: unset("ID:SECRET", checkedBy(readBucketKey), "access key of the bucket", HIDDEN),
  backupKeyFile: unset("FILE", text, "file with the access key"),
  backupDir: unset("DIR", text, "folder of scheduled backups (default: backups in --data)"),
  alertSmtp: unset("URL", checkedBy(readSmtpUrl), "mail server, such as smtp://user:password@mail.example.com:587", {
    show: maskedSmtp,
    isSecret: true,
  }),
  alertSmtpFile: unset("FILE", text, "file with that URL"),
  alertTo: several("ADDRESS,...", emailAddresses, "who gets alerts by email (default: as chosen in the app)"),
  alertFrom: unset("ADDRESS", email, "sender of emails (default: the mail server's user, else the first recipient)"),
  alertWebhook: unset("URL", checkedBy(readWebhookUrl), "address that alerts are posted to", { show: maskedWebhook }),
  alertWebhookSecret: {
    ...unset("TEXT", checkedBy(readWebhookSecret), "secret that webhooks are signed with, at least 16 characters"),
    ...HIDDEN,
  },
  alertWebhookSecretFile: unset("FILE", text, "file with that secret"),
  alertAllowPrivate: several("CIDR,...", cidrs, "private networks that the webhook may reach (default: none)"),
  alertDiskMb: setting("MB", 1_024, wholeNumber(1, 1_000_000_000), "alert when less disk is free, in MB"),
  metricsPort: unset("PORT", port, "Prometheus metrics at /metrics on this port (default: off)"),
}

const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Database", /^data/],
  ["Addresses", /^(?:host|port|publicUrl|agentPort|agentUrl|allowOrigin|trustProxy)$/],
  ["HTTPS", /^(?:domain|acme|tls|http)/],
  ["First operator", /^operator/],
  ["Sales agent", /^(?:agent|publish|callLog)/],
  ["Limits", /^(?:limit|max)/],
  ["Backups", /^backup/],
  ["Alerts", /^alert/],
  ["Logs and metrics", /^(?:log|metrics)/],
]

const groupOf = (name: string) => GROUPS.find(([, names]) => names.test(name))?.[0] ?? "Other settings"

type Table = typeof table

const optionOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const SETTINGS = Object.fromEntries(
  Object.entries(table).map(([name, definition]) => [
    name,
    { ...definition, option: optionOf(name), group: groupOf(name) },
  ]),
) as {
  readonly [Name in keyof Table]: Table[Name] & { readonly option: string; readonly group: string } & Pick<
      Setting<never>,
      "show" | "isSecret"
    >
}

export type SettingName = keyof typeof SETTINGS
export type Config = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]["fallback"] }
/** The settings that say where everything is stored. */
export type StoragePlace = Pick<Config, "data" | "databaseUrl" | "databaseUrlFile" | "backupDir">
/** The settings that say where alerts go. */
export type AlertSettings = Omit<Pick<Config, Extract<SettingName, `alert${string}`>>, "alertDiskMb">
/** The settings that a server stores at its start, for the doctor. */
export const SERVED_WITH = [
  "host",
  "publicUrl",
  "trustProxy",
  "domain",
  "tlsCert",
  "backupEvery",
  "backupKeep",
  "callLogDays",
  "alertAllowPrivate",
] as const
export type ServedWith = Pick<Config, (typeof SERVED_WITH)[number]>
export type Origin = "option" | "environment" | "default"
export type Environment = Readonly<Record<string, string | undefined>>

/** What people may see of a setting. */
export interface ShownSetting {
  /** Its value, without passwords; null where nothing is set. */
  readonly text: string | null
  readonly from: Origin
  readonly variable: string
}

export type ShownSettings = Readonly<Record<SettingName, ShownSetting>>

export interface ResolvedSettings {
  readonly config: Config
  readonly settings: ShownSettings
  /** Sentences about invalid settings, which have their defaults in `config`. */
  readonly problems: readonly string[]
  /** Sentences about variables that look like settings and are none, and about passwords in options. */
  readonly warnings: readonly string[]
}

export const environmentName = (option: string) => `ADBOOTH_${option.toUpperCase().replaceAll("-", "_")}`

/** Resolves every setting: option, then environment, then default. */
export function resolveSettings(
  options: Readonly<Record<string, unknown>>,
  environment: Environment,
): ResolvedSettings {
  const config: Record<string, unknown> = {}
  const settings: Record<string, ShownSetting> = {}
  const problems: string[] = []
  for (const [name, { option, fallback, read, show }] of Object.entries(SETTINGS)) {
    const own = environmentName(option)
    // Hosting platforms set PORT.
    const variable = option === "port" && !environment[own] ? "PORT" : own
    const typed = options[name] === true ? "on" : options[name]
    const from = typeof typed === "string" ? "option" : environment[variable] ? "environment" : "default"
    const given = from === "default" ? undefined : String(from === "option" ? typed : environment[variable])
    const value = given === undefined ? fallback : (read as (text: string) => unknown)(given)
    const display = given === undefined ? undefined : (show?.(given) ?? given)
    const isWrong = value instanceof InvalidSetting
    if (isWrong) problems.push(`${from === "option" ? `--${option}` : variable} ${value.sentence}; it is "${display}".`)
    config[name] = isWrong ? fallback : value
    const text = display ?? (fallback === null ? null : String(fallback))
    settings[name] = { text, from, variable: from === "environment" ? variable : own }
  }
  problems.push(...conflicts(config as Config))
  return {
    config: config as Config,
    settings: settings as ShownSettings,
    problems,
    warnings: [...passwordWarning("--database-url", options["databaseUrl"]), ...unknownVariables(environment)],
  }
}

export function passwordWarning(option: string, value: unknown): string[] {
  if (typeof value !== "string" || !/^postgres(ql)?:/.test(value) || !withoutPassword(value).includes("***")) return []
  return [
    `Anyone on this machine can read the password in ${option}. Put the URL into a file or the environment instead.`,
  ]
}

/** Whether alerts can go by email, once an address is chosen. */
export const hasMailServer = ({ alertSmtp, alertSmtpFile }: AlertSettings) =>
  alertSmtp !== null || alertSmtpFile !== null

/** Settings that are valid alone, but not together. */
function conflicts(config: Config): string[] {
  const has = (...names: SettingName[]) => names.some((name) => String(config[name] ?? "") !== "")
  const option = (name: SettingName) => SETTINGS[name].option
  const twice = (what: string, a: SettingName, b: SettingName) =>
    [has(a) && has(b), `The ${what} is given twice: as ${option(a)} and as ${option(b)}. Give one of them.`] as const
  const needs = (what: string, wanted: SettingName, a: SettingName, inFile: SettingName) => {
    const sentence = `--${option(wanted)} needs ${what}: --${option(inFile)}, or ${environmentName(option(a))}.`
    return [has(wanted) && !has(a, inFile), sentence] as const
  }
  const secret = ["alertWebhookSecret", "alertWebhookSecretFile"] as const
  const rules: (readonly [isBroken: boolean, sentence: string])[] = [
    twice("database URL", "databaseUrl", "databaseUrlFile"),
    [
      has("domain", "tlsCert") && has("databaseUrl", "databaseUrlFile"),
      "With PostgreSQL a proxy in front does HTTPS, for all servers alike: leave out --domain and --tls-cert.",
    ],
    [has("domain") && has("tlsCert"), "Give --domain or --tls-cert, not both."],
    [has("tlsCert") !== has("tlsKey"), "--tls-cert and --tls-key belong together. Give both."],
    twice("access key of the bucket", "backupKey", "backupKeyFile"),
    needs("the access key of the bucket", "backupTo", "backupKey", "backupKeyFile"),
    twice("mail server for alerts", "alertSmtp", "alertSmtpFile"),
    twice("secret of the webhook", ...secret),
    needs("the mail server that sends alerts", "alertTo", "alertSmtp", "alertSmtpFile"),
    needs("a secret, because every webhook is signed", "alertWebhook", ...secret),
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence)
}

const PREFIX = "ADBOOTH_"
// Not settings of the server: "adbooth report" reads the key, guides and scripts name the server, tests choose what they run on.
const OTHER_VARIABLES = /^ADBOOTH_(KEY|URL|RELEASE|(KEY|TEST|DISK)_.*)$/

/** Whoever mistypes a variable should not wonder why nothing changes. */
function unknownVariables(environment: Environment): string[] {
  const names = Object.values(SETTINGS).map(({ option }) => environmentName(option).slice(PREFIX.length))
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name))
    .map((name) => name.slice(PREFIX.length))
    .filter((name) => !names.includes(name))
    .map((name) => {
      const similar = nearest(name, names)
      const hint = similar === undefined ? "" : ` Did you mean ${PREFIX}${similar}?`
      return `There is no setting ${PREFIX}${name}; it is ignored.${hint}`
    })
}
