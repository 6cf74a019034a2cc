import * as limits from "./domain/limits.ts"
import { BACKUPS_KEPT, BACKUPS_KEPT_MAX } from "./domain/operations/backup.ts"
import { readBucketAddress, readBucketKey } from "./domain/operations/bucket.ts"
import { withoutPassword } from "./domain/operations/database-url.ts"
import { aboutFormer, FORMER, FORMER_OPTIONS, type MovedValues } from "./domain/operations/former-settings.ts"
import * as services from "./domain/operations/service-settings.ts"
import * as kind from "./domain/operations/setting.ts"
import {
  attributeOf,
  environmentName,
  HIDDEN,
  PREFIX,
  type Setting,
  setting,
  several,
  toggle,
  unset,
  withoutSignIn,
} from "./domain/operations/setting.ts"
import { type SettingReader, settingReader } from "./files/setting-reader.ts"

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
  host: setting(kind.text("HOST"), "127.0.0.1", "address to listen on; 0.0.0.0 for all"),
  port: setting(kind.PORT, 3000, "port to listen on; 0 picks a free one"),
  publicUrl: unset(kind.WEB_ADDRESS, "address that others use for this server"),
  domain: several(kind.domains("NAME,..."), "get a certificate for this domain, and serve HTTPS"),
  acmeDirectory: setting(kind.ANY_URL, kind.LETS_ENCRYPT, "another authority that speaks ACME"),
  tlsCert: unset(kind.text("FILE"), "your own certificate for HTTPS; needs --tls-key"),
  tlsKey: unset(kind.text("FILE"), "its key"),
  httpsPort: setting(kind.PORT, 443, "port for HTTPS"),
  httpPort: setting(kind.PORT, 80, "port for the authority's checks and the redirect"),
  agentUrl: unset(kind.WEB_ADDRESS, "address that others use for the sales agent, if different"),
  allowOrigin: several(kind.WEB_ADDRESSES, "more addresses of the sales agent, for links and pages that call it"),
  agentDelivery: toggle("let agents read what their buyer's campaigns delivered (default: as chosen in the app)"),
  trustProxy: several(kind.CIDRS, "proxies whose X-Forwarded-For is trusted"),
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
  backupDir: unset(kind.text("DIR"), "folder of scheduled backups (default: backups in --data)"),
  smtp: unset(
    kind.checkedBy("URL", services.readSmtpUrl),
    "mail server, such as smtp://user:password@mail.example.com:587",
    {
      show: services.maskedSmtp,
      isSecret: true,
    },
  ),
  alertTo: several(kind.EMAILS, "who gets alerts by email (default: as chosen in the app)"),
  mailFrom: unset(kind.EMAIL, "sender of emails (default: the mail server's user, else the first recipient)"),
  alertWebhook: unset(kind.checkedBy("URL", services.readWebhookUrl), "address that alerts are posted to", {
    show: services.maskedWebhook,
  }),
  alertWebhookSecret: unset(
    kind.checkedBy("TEXT", services.readWebhookSecret),
    "secret that webhooks are signed with: whsec_ and base64, as Standard Webhooks have it",
    HIDDEN,
  ),
  alertAllowPrivate: several(kind.CIDRS, "private networks that the webhook may reach (default: none)"),
  metricsPort: unset(kind.PORT, "Prometheus metrics at /metrics on this port (default: off)"),
}

const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Database", /^data/],
  ["Addresses", /^(?:host|port|publicUrl|agentUrl|allowOrigin|trustProxy)$/],
  ["HTTPS", /^(?:domain|acme|tls|http)/],
  ["Sales agent", /^agent/],
  ["Limits", /^limit/],
  ["Backups", /^backup/],
  ["Mail and alerts", /^(?:smtp|mail|alert)/],
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
export type StorageConfig = Pick<Config, "data" | "databaseUrl" | "backupDir">
/** The settings that say where alerts go. */
export type AlertSettings = Pick<Config, Extract<SettingName, `alert${string}` | "smtp" | "mailFrom">>
/** The settings that a server stores at its start, for the doctor. */
export const SERVED_WITH = [
  "host",
  "publicUrl",
  "trustProxy",
  "domain",
  "tlsCert",
  "backupEvery",
  "backupKeep",
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
  /** Sentences about what is no setting, or none any more, and about passwords in options. */
  readonly warnings: readonly string[]
  /** The files that hold the values of settings. */
  readonly secretFiles: readonly string[]
  /** What was given of settings that are chosen in the app now. */
  readonly moved: MovedValues
}

/** Whether a setting can be read from a file that an option names: those that a process list must not show. */
export const isReadFromFile = ({ option, isSecret = false }: Named): boolean => isSecret || option === "database-url"

/** Resolves every setting: option, then environment, then default. */
export function resolveSettings(
  options: Readonly<Record<string, unknown>>,
  environment: Environment,
): ResolvedSettings {
  const config: Record<string, unknown> = {}
  const settings: Record<string, ShownSetting> = {}
  const { givenFor, problems, files } = settingReader(options, environment)
  for (const [name, { option, fallback, read, show }] of Object.entries(SETTINGS)) {
    const given = givenFor(option)
    const value = given === undefined ? fallback : (read as Read)(given.text)
    const display = given === undefined ? undefined : (show ?? withoutSignIn)(given.text)
    const isWrong = value instanceof services.InvalidSetting
    if (isWrong) problems.push(`${given?.name} ${value.sentence}; it is "${display}".`)
    config[name] = isWrong ? fallback : value
    const text = display ?? (fallback === null ? null : String(fallback))
    const variable = given?.from === "environment" ? given.name : environmentName(option)
    settings[name] = { text, from: given?.from ?? "default", variable }
  }
  // What is wrong has its default here, and would seem to be missing.
  if (problems.length === 0) problems.push(...conflicts(config as Config))
  const { moved, warnings } = movedValues(settingReader(options, environment))
  return {
    config: config as Config,
    settings: settings as ShownSettings,
    problems,
    secretFiles: files,
    moved,
    warnings: [
      ...passwordWarning("--database-url", options["databaseUrl"]),
      ...formerOptions(options),
      ...unknownVariables(environment),
      ...warnings,
    ],
  }
}

type Read = (text: string) => unknown

/** What was given of settings that are chosen in the app now. Nothing that is wrong with it stops a server. */
function movedValues({ givenFor, problems: warnings }: SettingReader) {
  const moved: Record<string, string> = {}
  for (const [option, { moved: now }] of Object.entries(FORMER)) {
    const given = now && givenFor(option)
    const value = given && now.read(given.text)
    if (value instanceof services.InvalidSetting)
      warnings.push(`${given?.name} ${value.sentence}; it is "${given?.text}", and is not stored.`)
    else if (now && value !== undefined) moved[now.stored] = String(value)
  }
  return { moved: moved as MovedValues, warnings }
}

export function passwordWarning(option: string, value: unknown): string[] {
  if (typeof value !== "string" || !/^postgres(ql)?:/.test(value) || !withoutPassword(value).includes("***")) return []
  return [
    `Anyone on this machine can read the password in ${option}. Put the URL into a file or the environment instead.`,
  ]
}

/** Whether everything is stored in PostgreSQL, and not in the data directory. */
export const usesPostgres = ({ databaseUrl }: StorageConfig) => databaseUrl !== null

/** Whether alerts can go by email, once an address is chosen. */
export const hasMailServer = ({ smtp }: AlertSettings) => smtp !== null

/** Settings that are valid alone, but not together. */
function conflicts(config: Config): string[] {
  const has = (...names: SettingName[]) => names.some((name) => String(config[name] ?? "") !== "")
  const option = (name: SettingName) => SETTINGS[name].option
  const needs = (what: string, wanted: SettingName, secret: SettingName) => {
    const sentence = `--${option(wanted)} needs ${what}: --${option(secret)}-file, or ${environmentName(option(secret))}.`
    return [has(wanted) && !has(secret), sentence] as const
  }
  const rules: (readonly [isBroken: boolean, sentence: string])[] = [
    [
      has("domain", "tlsCert") && has("databaseUrl"),
      "With PostgreSQL a proxy in front does HTTPS, for all servers alike: leave out --domain and --tls-cert.",
    ],
    [has("domain") && has("tlsCert"), "Give --domain or --tls-cert, not both."],
    [has("tlsCert") !== has("tlsKey"), "--tls-cert and --tls-key belong together. Give both."],
    needs("the access key of the bucket", "backupTo", "backupKey"),
    needs("the mail server that sends alerts", "alertTo", "smtp"),
    needs("a secret, because every webhook is signed", "alertWebhook", "alertWebhookSecret"),
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence)
}

// Not settings of the server: "adbooth report" reads the key, guides and scripts name the server, tests choose what they run on.
const OTHER_VARIABLES = /^ADBOOTH_(KEY|URL|RELEASE|(KEY|TEST|DISK)_.*)$/

/** A sentence for each option of an earlier build. */
const formerOptions = (options: Readonly<Record<string, unknown>>): string[] =>
  FORMER_OPTIONS.filter((option) => options[attributeOf(option)] !== undefined).map(
    (option) => aboutFormer(option, `--${option}`, (present) => `--${present}`) ?? "",
  )

/** A sentence for each variable that looks like a setting and is none, or none any more. */
function unknownVariables(environment: Environment): string[] {
  const names = Object.values(SETTINGS).map(({ option }) => environmentName(option))
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name) && environment[name])
    .filter((name) => !names.includes(name) && !names.includes(name.replace(/_FILE$/, "")))
    .map((name) => {
      const option = name.slice(PREFIX.length).toLowerCase().replaceAll("_", "-")
      const unknown = `There is no setting ${name}; it is ignored. "adbooth doctor --settings" lists them.`
      return aboutFormer(option, name, environmentName) ?? unknown
    })
}
