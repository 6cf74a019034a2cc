import * as limits from "./domain/limits.ts"
import { BACKUPS_KEPT, BACKUPS_KEPT_MAX } from "./domain/operations/backup.ts"
import { readBucketAddress, readBucketKey } from "./domain/operations/bucket.ts"
import * as services from "./domain/operations/service-settings.ts"
import * as kind from "./domain/operations/setting.ts"
import { HIDDEN, type Setting, setting, several, toggle, unset } from "./domain/operations/setting.ts"
import { withoutPassword } from "./storage/postgres/engine/address.ts"

// Every setting of the server. The command line, the environment, `adbooth doctor --settings` and the documentation derive from this table.
// An option is named after its key: publicUrl is --public-url and ADBOOTH_PUBLIC_URL.
const table = {
  data: setting(
    kind.text("DIR"),
    "./data",
    "directory of the database; without ./data, commands take /var/lib/adbooth",
  ),
  databaseUrl: unset(kind.DATABASE_URL, "PostgreSQL instead, such as postgres://user@host/database", {
    show: withoutPassword,
  }),
  databaseUrlFile: unset(kind.text("FILE"), "file with the database URL, to keep its password out of process lists"),
  host: setting(kind.text("HOST"), "127.0.0.1", "address to listen on; 0.0.0.0 for all"),
  port: setting(kind.PORT, 3000, "port to listen on; 0 picks a free one"),
  publicUrl: unset(kind.WEB_ADDRESS, "address that others use for this server"),
  domain: several(kind.domains("NAME,..."), "get a certificate for this domain, and serve HTTPS"),
  acmeEmail: unset(kind.EMAIL, "where the authority writes to if something is wrong"),
  acmeDirectory: setting(kind.ANY_URL, kind.LETS_ENCRYPT, "another authority that speaks ACME"),
  tlsCert: unset(kind.text("FILE"), "your own certificate for HTTPS; needs --tls-key"),
  tlsKey: unset(kind.text("FILE"), "its key"),
  httpsPort: setting(kind.PORT, 443, "port for HTTPS"),
  httpPort: setting(kind.PORT, 80, "port for the authority's checks and the redirect"),
  operatorEmail: unset(kind.text("ADDRESS"), "create this operator at the first start"),
  operatorPasswordFile: unset(kind.text("FILE"), "file with the first operator's password"),
  agentPort: unset(kind.PORT, "serve the sales agent on its own port"),
  agentUrl: unset(kind.WEB_ADDRESS, "address that others use for the sales agent, if different"),
  allowOrigin: several(kind.WEB_ADDRESSES, "more addresses of the sales agent, for links and pages that call it"),
  agentContact: unset(kind.line("TEXT"), "whom buyers ask for keys and orders: an address or a sentence"),
  agentDelivery: toggle("let agents read what their buyer's campaigns delivered (default: as chosen in the app)"),
  callLogDays: setting(kind.wholeNumber("N", 1, 3_650), limits.CALL_LOG_DAYS, "days to keep calls of the sales agent"),
  publishAdagents: several(kind.domains("DOMAIN,..."), "serve adagents.json: this agent sells for these domains"),
  publishBrand: unset(kind.line("NAME"), "serve brand.json: the company that runs this agent; needs HTTPS"),
  trustProxy: several(kind.CIDRS, "proxies whose X-Forwarded-For is trusted"),
  maxUploadMb: setting(kind.wholeNumber("MB", 1, 1_024), limits.UPLOAD_MEBIBYTES, "largest file to upload, in MB"),
  presets: unset(kind.text("DIR"), "folder with your own presets (default: presets in --data)"),
  logFormat: unset(kind.oneOf("FORMAT", "text", "json"), "text or json (default: text on a terminal, else json)"),
  limitIngest: setting(
    kind.PER_MINUTE,
    limits.INGEST_REQUESTS_PER_MINUTE,
    "ingest requests per minute, per API key and feed",
  ),
  limitAgentAnonymous: setting(
    kind.PER_MINUTE,
    limits.AGENT_CALLS_ANONYMOUS_PER_MINUTE,
    "agent calls per minute without a key, per address",
  ),
  limitAgentKeyed: setting(
    kind.PER_MINUTE,
    limits.AGENT_CALLS_KEYED_PER_MINUTE,
    "agent calls per minute, per buyer's key",
  ),
  backupEvery: unset(kind.DURATION, "how often to make a backup, such as 24h (default: as chosen in the app)"),
  backupKeep: unset(
    kind.wholeNumber("N", 1, BACKUPS_KEPT_MAX),
    `scheduled backups to keep (default: ${BACKUPS_KEPT}, or as chosen in the app)`,
  ),
  backupTo: unset(
    kind.checkedBy("ADDRESS", readBucketAddress),
    "copy each scheduled backup to this bucket: s3://NAME/FOLDER",
  ),
  backupEndpoint: unset(kind.ANY_URL, "address of the bucket's service (default: Amazon S3)"),
  backupRegion: unset(kind.text("NAME"), "region of the bucket, if needed"),
  backupKey: unset(kind.checkedBy("ID:SECRET", readBucketKey), "access key of the bucket", HIDDEN),
  backupKeyFile: unset(kind.text("FILE"), "file with the access key"),
  backupDir: unset(kind.text("DIR"), "folder of scheduled backups (default: backups in --data)"),
  alertSmtp: unset(
    kind.checkedBy("URL", services.readSmtpUrl),
    "mail server, such as smtp://user:password@mail.example.com:587",
    {
      show: services.maskedSmtp,
      isSecret: true,
    },
  ),
  alertSmtpFile: unset(kind.text("FILE"), "file with that URL"),
  alertTo: several(kind.EMAILS, "who gets alerts by email (default: as chosen in the app)"),
  alertFrom: unset(kind.EMAIL, "sender of emails (default: the mail server's user, else the first recipient)"),
  alertWebhook: unset(kind.checkedBy("URL", services.readWebhookUrl), "address that alerts are posted to", {
    show: services.maskedWebhook,
  }),
  alertWebhookSecret: unset(
    kind.checkedBy("TEXT", services.readWebhookSecret),
    "secret that webhooks are signed with: whsec_ and base64, as Standard Webhooks have it",
    HIDDEN,
  ),
  alertWebhookSecretFile: unset(kind.text("FILE"), "file with that secret"),
  alertAllowPrivate: several(kind.CIDRS, "private networks that the webhook may reach (default: none)"),
  alertDiskMb: setting(kind.wholeNumber("MB", 1, 1_000_000_000), 1_024, "alert when less disk is free, in MB"),
  metricsPort: unset(kind.PORT, "Prometheus metrics at /metrics on this port (default: off)"),
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

type Named = Pick<Setting<never>, "show" | "isSecret"> & { readonly option: string; readonly group: string }

export const SETTINGS = Object.fromEntries(
  Object.entries(table).map(([name, made]) => [name, { ...made, option: optionOf(name), group: groupOf(name) }]),
) as { readonly [Name in keyof Table]: Table[Name] & Named }

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
  /** The files that hold the values of settings. */
  readonly secretFiles: readonly string[]
}

const PREFIX = "ADBOOTH_"

export const environmentName = (option: string) => `${PREFIX}${option.toUpperCase().replaceAll("-", "_")}`

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
    const isWrong = value instanceof services.InvalidSetting
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
    secretFiles: ["databaseUrlFile", "backupKeyFile", "alertSmtpFile", "alertWebhookSecretFile"].flatMap((name) => {
      const file = config[name]
      return typeof file === "string" ? [file] : []
    }),
    warnings: [...passwordWarning("--database-url", options["databaseUrl"]), ...unknownVariables(environment)],
  }
}

export function passwordWarning(option: string, value: unknown): string[] {
  if (typeof value !== "string" || !/^postgres(ql)?:/.test(value) || !withoutPassword(value).includes("***")) return []
  return [
    `Anyone on this machine can read the password in ${option}. Put the URL into a file or the environment instead.`,
  ]
}

/** Whether everything is stored in PostgreSQL, and not in the data directory. */
export const usesPostgres = ({ databaseUrl, databaseUrlFile }: StoragePlace) =>
  databaseUrl !== null || databaseUrlFile !== null

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

// Not settings of the server: "adbooth report" reads the key, guides and scripts name the server, tests choose what they run on.
const OTHER_VARIABLES = /^ADBOOTH_(KEY|URL|RELEASE|(KEY|TEST|DISK)_.*)$/

/** Whoever mistypes a variable should not wonder why nothing changes. */
function unknownVariables(environment: Environment): string[] {
  const names = Object.values(SETTINGS).map(({ option }) => environmentName(option))
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name) && !names.includes(name))
    .map((name) => `There is no setting ${name}; it is ignored. "adbooth doctor --settings" lists them.`)
}
