import { alertChannels, type ChannelStatus } from "../../../../actions/alerts/send-alerts.ts"
import type { Context } from "../../../../actions/context.ts"
import {
  type AlertsInForce,
  alertsInForce,
  bucketInForce,
  httpsInForce,
  mailInForce,
  scheduleInForce,
} from "../../../../actions/settings.ts"
import type { BucketSettings } from "../../../../domain/operations/bucket.ts"
import type { InForce } from "../../../../domain/operations/in-force.ts"
import type { MailSettings } from "../../../../domain/operations/mail.ts"
import type { Moment } from "../../../../domain/time/moment.ts"

/** The settings in force for every service of the server. */
export interface Services {
  readonly domains: InForce<readonly string[]>
  /** The certificate's file, if an option names one. */
  readonly tlsCert: string | null
  readonly bucket: InForce<BucketSettings | null>
  readonly mail: InForce<MailSettings | null>
  readonly alerts: AlertsInForce
  readonly channels: readonly ChannelStatus[]
  readonly every: InForce<Moment | null>
  readonly keep: InForce<number>
}

export async function findServices(context: Context): Promise<Services> {
  return {
    domains: (await httpsInForce(context)).domains,
    tlsCert: context.config.tlsCert,
    bucket: await bucketInForce(context),
    mail: await mailInForce(context),
    alerts: await alertsInForce(context),
    channels: await alertChannels(context),
    ...(await scheduleInForce(context)),
  }
}
