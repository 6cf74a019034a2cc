import { contactError } from "../domain/adcp/adagents.ts"
import { digestOf } from "../domain/adcp/text.ts"
import { ALERT_KINDS, type AlertKind } from "../domain/alert.ts"
import { randomCharacters } from "../domain/api-key.ts"
import { type Errors, errorsIn, hasErrors } from "../domain/errors.ts"
import {
  BACKUPS_KEPT,
  type BackupSchedule,
  type BucketNote,
  type BucketSettings,
  type LastBackup,
  readBucketAddress,
  readBucketKey,
} from "../domain/operations/backup.ts"
import type { HttpsChoice, HttpsNote } from "../domain/operations/https.ts"
import { type MailChoice, type MailSettings, readSmtpUrl, type SmtpServer } from "../domain/operations/mail.ts"
import { type InForce, inForce } from "../domain/operations/setting-kinds.ts"
import { isDomain } from "../domain/schema/build.ts"
import { isTidy } from "../domain/text.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { ReadTx } from "../storage/database.ts"
import { saveSetting, settingOf } from "../storage/operations/settings.ts"
import { type Actor, type Context, change } from "./context.ts"

/** Who gets alerts, and about what. */
export interface AlertChoice {
  readonly to: readonly string[]
  /** What isn't sent. Kinds of alerts that a later version adds are sent. */
  readonly muted: readonly AlertKind[]
  /** Adbooth sends an alert if fewer megabytes than this are free. */
  readonly diskMegabytes: number
  readonly webhook: { readonly url: string; readonly secret: string } | null
}

const DISK_MEGABYTES_MIN = 1_000

/** What the operator chose for the sales agent. */
export interface AgentSettings {
  /** Who buyers should contact. Null if the operator named no contact. */
  readonly contact: string | null
  /** The domains that adagents.json lists for this agent. Without any, the file isn't published. */
  readonly domains: readonly string[]
  /** The company in brand.json. If it's null, the file isn't published. */
  readonly company: string | null
  readonly takesOrders: boolean
  /** Whether buyers' agents may read delivery. An option of the server takes precedence. */
  readonly tellsDelivery: boolean
  /** For how many days calls are kept. */
  readonly logDays: number
}

const AGENT_DEFAULTS: AgentSettings = {
  contact: null,
  domains: [],
  company: null,
  takesOrders: true,
  tellsDelivery: false,
  logDays: 30,
}

/** How the last email went. */
interface MailNote {
  readonly sentAt: Moment | null
  readonly problem: string | null
}

/** How the last restore in the app went. */
export interface LastRestore {
  readonly at: Moment
  readonly name: string
  /** The backup of what was there before. */
  readonly replaced: string | null
  readonly problem: string | null
}

/** What the app lets an operator choose, by the name of its setting. Those that begin with "secret." are never exported. */
export interface Choices {
  readonly "secret.mail": MailChoice
  readonly "secret.bucket": BucketSettings
  readonly "secret.alerts": AlertChoice
  readonly https: HttpsChoice
  readonly backups: BackupSchedule
  readonly agent: AgentSettings
}

/** What the server notes about its own work. */
interface Notes {
  readonly "note.mail": MailNote
  readonly "note.bucket": BucketNote
  readonly "note.https": HttpsNote
  readonly "note.backup": LastBackup
  readonly "note.restore": LastRestore
  /** Where people reach the server that was started last, for links that commands print. */
  readonly "note.address": string
  /** When the doctor's write test passed. */
  readonly "note.write": Moment
  /** What order links depend on. */
  readonly "secret.orders": string
}

type Stored = Choices & Notes

/** What is stored under a name. Null if nothing is. */
export async function storedSetting<Name extends keyof Stored>(read: ReadTx, name: Name): Promise<Stored[Name] | null> {
  const text = await settingOf(read, name)
  return text === null ? null : (JSON.parse(text) as Stored[Name])
}

/** Saves what the server notes about its own work. Null removes it. */
export async function saveNote<Name extends keyof Notes>(
  { database }: Pick<Context, "database">,
  name: Name,
  note: Notes[Name] | null,
): Promise<void> {
  await database.transactBeside((tx) => saveSetting(tx, name, note && JSON.stringify(note)))
}

const IN_WORDS: Readonly<Record<keyof Choices, string>> = {
  "secret.mail": "mail server",
  "secret.bucket": "bucket for backups",
  "secret.alerts": "alerts",
  https: "domain for HTTPS",
  backups: "backup schedule",
  agent: "sales agent's settings",
}

/** A version of a choice, for the form that changes it. */
export const choiceVersion = async (read: ReadTx, name: keyof Choices): Promise<string> =>
  digestOf((await settingOf(read, name)) ?? "")

/** Saves a choice, or null for none. "changed" if it isn't the version that the form began with. */
export async function choose<Name extends keyof Choices>(
  context: Context,
  actor: Actor,
  name: Name,
  choice: Choices[Name] | null,
  version?: string,
): Promise<"saved" | "changed"> {
  return change(context, actor, async (tx, audit) => {
    if (version !== undefined && version !== (await choiceVersion(tx, name))) return "changed"
    await saveSetting(tx, name, choice && JSON.stringify(choice))
    await audit(null, `${choice === null ? "removed" : "changed"} the ${IN_WORDS[name]}`)
    return "saved"
  })
}

/** Where mail goes out. Null if mail isn't set up. */
export async function mailInForce({ config, database }: Context): Promise<InForce<MailSettings | null>> {
  const server = config.smtp === null ? null : readSmtpUrl(config.smtp)
  const option = server && { ...server, from: senderOf(server, config.mailFrom, config.alertTo), fromName: "Adbooth" }
  const choice = await storedSetting(database.read, "secret.mail")
  return inForce<MailSettings | null>(option, choice && mailSettingsOf(choice), null)
}

/** The settings of a choice. Null if its URL can't be read. */
export function mailSettingsOf({ smtp, from, fromName }: MailChoice): MailSettings | null {
  const server = readSmtpUrl(smtp)
  return server && { ...server, from, fromName }
}

const senderOf = ({ user, host }: SmtpServer, from: string | null, recipients: readonly string[]): string =>
  from ?? (user?.includes("@") ? user : (recipients[0] ?? `adbooth@${host}`))

/** Where backups are copied. Null if they aren't. */
export async function bucketInForce({ config, database }: Context): Promise<InForce<BucketSettings | null>> {
  return inForce<BucketSettings | null>(bucketOption(config), await storedSetting(database.read, "secret.bucket"), null)
}

/** The bucket that the options name. Null if they name none. */
export function bucketOption(config: Context["config"]): BucketSettings | null {
  const address = config.backupTo === null ? null : readBucketAddress(config.backupTo)
  const key = config.backupKey === null ? null : readBucketKey(config.backupKey)
  const { backupEndpoint: endpoint, backupRegion: region, backupKeep } = config
  return address && key && { ...address, ...key, endpoint, region, keep: backupKeep ?? BACKUPS_KEPT }
}

/** When backups are made and how many are kept. */
export async function scheduleInForce({ config, database }: Pick<Context, "config" | "database">) {
  const choice = await storedSetting(database.read, "backups")
  return {
    every: inForce<Moment | null>(config.backupEvery, choice?.every ?? null, null),
    keep: inForce(config.backupKeep, choice?.keep ?? null, BACKUPS_KEPT),
  }
}

export interface AlertsInForce {
  readonly to: InForce<readonly string[]>
  readonly webhook: InForce<AlertChoice["webhook"]>
  readonly kinds: readonly AlertKind[]
  readonly diskMegabytes: number
}

/** Who gets alerts, and about what. */
export async function alertsInForce({ config, database }: Context): Promise<AlertsInForce> {
  const choice = await storedSetting(database.read, "secret.alerts")
  const { alertTo, alertWebhook: url, alertWebhookSecret: secret } = config
  const webhook = url === null || secret === null ? null : { url, secret }
  return {
    to: inForce(alertTo.length === 0 ? null : alertTo, choice?.to ?? null, []),
    webhook: inForce<AlertChoice["webhook"]>(webhook, choice?.webhook ?? null, null),
    kinds: ALERT_KINDS.filter((kind) => !choice?.muted.includes(kind)),
    diskMegabytes: choice?.diskMegabytes ?? DISK_MEGABYTES_MIN,
  }
}

/** The domains that this server gets a certificate for. Empty if it doesn't do HTTPS by itself. */
export async function httpsInForce({ config, database }: Pick<Context, "config" | "database">) {
  const { domain, tlsCert, databaseUrl } = config
  // With PostgreSQL a proxy in front does HTTPS for all servers.
  const choice = databaseUrl === null && tlsCert === null ? await storedSetting(database.read, "https") : null
  const domains = inForce(domain.length === 0 ? null : domain, choice?.domains ?? null, [])
  return { domains, email: choice?.email ?? null }
}

export async function agentSettings(read: ReadTx): Promise<AgentSettings> {
  return { ...AGENT_DEFAULTS, ...(await storedSetting(read, "agent")) }
}

/** Whether buyers' agents may read delivery. */
export const deliveryInForce = (
  { config }: Pick<Context, "config">,
  { tellsDelivery }: AgentSettings,
): InForce<boolean> => inForce(config.agentDelivery, tellsDelivery ? true : null, false)

export const LOG_DAYS_MAX = 365

/** Changes the given settings of the sales agent and keeps the rest. */
export async function changeAgentSettings(
  context: Context,
  actor: Actor,
  changes: Partial<AgentSettings>,
  version?: string,
): Promise<"saved" | "changed" | { readonly errors: Errors }> {
  const { contact, domains = [], company, logDays = 1 } = changes
  const wrong = domains.find((domain) => !isDomain(domain))
  const isDays = Number.isInteger(logDays) && logDays >= 1 && logDays <= LOG_DAYS_MAX
  const errors = errorsIn({
    contact: contact == null ? undefined : (contactError(contact) ?? undefined),
    domains: wrong === undefined ? undefined : `“${wrong}” isn’t a domain such as example.com.`,
    company: company == null || isTidy(company, 200) ? undefined : "Enter a name of up to 200 characters.",
    logDays: isDays ? undefined : `Enter a whole number from 1 to ${LOG_DAYS_MAX}.`,
  })
  if (hasErrors(errors)) return { errors }
  const before = await agentSettings(context.database.read)
  return choose(context, actor, "agent", { ...before, ...changes }, version)
}

/** The secret that order links depend on. It's created when it's first needed. */
export async function orderSecret({ database }: Pick<Context, "database">): Promise<string> {
  const stored = await storedSetting(database.read, "secret.orders")
  if (stored !== null) return stored
  return database.transact(async (tx) => {
    const secret = (await storedSetting(tx, "secret.orders")) ?? randomCharacters(40)
    await saveSetting(tx, "secret.orders", JSON.stringify(secret))
    return secret
  })
}
