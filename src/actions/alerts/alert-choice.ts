import { type Static, Type } from "@sinclair/typebox"
import { ALERT_KINDS, type AlertKind } from "../../domain/alerts/alert.ts"
import { DISK_FREE_MB_MIN } from "../../domain/limits.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { type Context, verb } from "../context.ts"
import { chosenMail } from "../operations/services.ts"
import { secretAs, setJson, setSetting, settingAs } from "../settings.ts"
import type { NotedChannels } from "./alert-status.ts"

// What somebody chose in the app about alerts. An option of the server always goes first.

const Webhook = Type.Object({ url: Type.String(), secret: Type.String() })
export type WebhookChoice = Static<typeof Webhook>

/** The settings of the server that alerts depend on. */
interface Given {
  readonly alertTo: readonly string[]
  readonly smtp: string | null
  readonly mailFrom: string | null
  readonly alertWebhook: string | null
  readonly alertWebhookSecret: string | null
}

/** The settings with what was chosen where they say nothing. */
export async function withChoices<Settings extends Given>(
  context: Pick<Context, "store">,
  given: Settings,
): Promise<Settings> {
  const { settings } = context.store
  const [mail, to, webhook] = await Promise.all([chosenMail(context), settings.get("alert_to"), chosenWebhook(context)])
  const hasServer = given.smtp !== null
  return {
    ...given,
    ...(!hasServer && mail !== null && { smtp: mail.smtp, mailFrom: given.mailFrom ?? mail.from }),
    ...(given.alertTo.length === 0 && to && { alertTo: to.split(/,\s*/) }),
    ...(given.alertWebhook === null &&
      webhook !== null && { alertWebhook: webhook.url, alertWebhookSecret: webhook.secret }),
  }
}

/** Which causes somebody wants to hear of: all, unless some were chosen. */
export async function wantedKinds({ settings }: Pick<StoreReads, "settings">): Promise<readonly AlertKind[]> {
  const chosen = await settings.get("alert_kinds")
  return chosen === null ? ALERT_KINDS : ALERT_KINDS.filter((kind) => chosen.split(",").includes(kind))
}

const chosenDiskMb = settingAs("alert_disk_mb", Type.Number())

/** How many MB of the disk may be free before that is an alert. */
export const diskFreeMbMin = async (store: Pick<StoreReads, "settings">) =>
  (await chosenDiskMb(store)) ?? DISK_FREE_MB_MIN

export const chosenWebhook = secretAs("webhook", Webhook)

export interface AlertChoice {
  readonly to: readonly string[]
  readonly kinds: readonly AlertKind[]
  readonly diskMb: number
  readonly webhook: WebhookChoice | null
  readonly channels: NotedChannels
}

export const chooseAlerts = verb(function* (tx, { to, kinds, diskMb, webhook, channels }: AlertChoice, by: Change) {
  yield* setSetting(tx, "alert_to", to.join(", "))
  yield* setSetting(tx, "alert_kinds", kinds.join())
  yield* setSetting(tx, "alert_disk_mb", String(diskMb))
  yield* setJson(tx, "webhook", webhook)
  yield* setJson(tx, "alert_channels", channels)
  yield* audit(tx, by, { action: "change alert_to", subject: to.join(", ") || "nobody" })
})

/** Nobody wants alerts, and nobody wants to be reminded of it. */
export const dismissAlerts = verb(function* (tx, by: Change) {
  yield* setSetting(tx, "alerts_dismissed", "yes")
  yield* audit(tx, by, { action: "dismiss alerts", subject: "installation" })
})
