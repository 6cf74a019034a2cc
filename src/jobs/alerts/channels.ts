import { readFile } from "node:fs/promises"
import type { AlertChannel } from "../../actions/alerts/alert-channel.ts"
import type { AlertSettings } from "../../config.ts"
import { InvalidSetting, readSmtpUrl, readWebhookSecret } from "../../domain/alerts/alert-settings.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { messageOf, UserError } from "../../domain/user-error.ts"
import { webhookChannel } from "./webhook.ts"

/** The channels that the settings name; none where alerts are off. Throws a UserError for a file that cannot be used. */
export async function openChannels(settings: AlertSettings, clock: () => Moment): Promise<AlertChannel[]> {
  const channels: AlertChannel[] = []
  const { alertTo: to, alertFrom: from, alertWebhook: url, alertAllowPrivate: allowed } = settings
  const smtp = await settingOrFile(settings.alertSmtp, settings.alertSmtpFile, "alert-smtp-file", readSmtpUrl)
  if (smtp !== null && to.length > 0) {
    // Loaded on demand: most installations do not need it.
    const { emailChannel } = await import("./email.ts")
    channels.push(emailChannel({ server: smtp, to, from }))
  }
  const file = settings.alertWebhookSecretFile
  const secret = await settingOrFile(settings.alertWebhookSecret, file, "alert-webhook-secret-file", readWebhookSecret)
  if (url !== null && secret !== null) channels.push(webhookChannel({ url, secret, allowed, clock }))
  return channels
}

/** What a setting, or the file that stands in for it, says. */
export async function settingOrFile<Value>(
  given: string | null,
  file: string | null,
  option: string,
  read: (text: string) => Value | InvalidSetting,
): Promise<Value | null> {
  if (given === null && file === null) return null
  const text = given ?? (await contentOf(file ?? "", option))
  const value = read(text)
  if (value instanceof InvalidSetting) throw new UserError(`The content of --${option} ${value.sentence}.`)
  return value
}

async function contentOf(path: string, option: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (cause) {
    throw new UserError(`The file of --${option} cannot be read (${messageOf(cause)}).`, { cause })
  }
}
