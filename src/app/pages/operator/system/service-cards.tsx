import { alertChannels, type ChannelStatus } from "../../../../actions/alerts/send-alerts.ts"
import type { Finding } from "../../../../actions/checks.ts"
import type { Context } from "../../../../actions/context.ts"
import {
  type AlertsInForce,
  alertsInForce,
  bucketInForce,
  httpsInForce,
  mailInForce,
  scheduleInForce,
} from "../../../../actions/settings.ts"
import { type BucketSettings, bucketInWords } from "../../../../domain/operations/bucket.ts"
import type { MailSettings } from "../../../../domain/operations/mail.ts"
import type { InForce } from "../../../../domain/operations/setting-kinds.ts"
import { MICROS_PER_DAY, type Moment } from "../../../../domain/time/moment.ts"
import { formatCount } from "../../../parts/format.tsx"
import { originOf, ServiceCard, SYSTEM } from "./service.tsx"

const HOUR = MICROS_PER_DAY / 24
const MINUTE = HOUR / 60

/** "Every day", "Every 6 hours" */
export function everyInWords(every: Moment): string {
  const units = [
    { size: MICROS_PER_DAY, name: "day" },
    { size: HOUR, name: "hour" },
    { size: MINUTE, name: "minute" },
  ]
  const { size, name } = units.find((unit) => every % unit.size === 0) ?? { size: MINUTE, name: "minute" }
  const count = Math.round(every / size)
  return count === 1 ? `Every ${name}` : `Every ${count} ${name}s`
}

/** The settings in force for every service of the server. */
interface Services {
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

interface ServiceCardsProps {
  readonly services: Services
  readonly findings: readonly Finding[]
}

/** A card for each service of the server: the value in force, its origin, and whether it works. */
export function ServiceCards({ services, findings }: ServiceCardsProps) {
  const { domains, tlsCert, bucket, mail, alerts, channels, every, keep } = services
  const stateOf = (check: string) => {
    const finding = findings.find((each) => each.check === check)
    return finding?.ok === false ? { problem: finding } : { detail: finding?.detail }
  }
  const toOrigin = alerts.to.value.length > 0 ? alerts.to : alerts.webhook
  return (
    <>
      <ServiceCard
        title="HTTPS"
        href={`${SYSTEM}/https`}
        setUp="Set up HTTPS"
        without="The server doesn’t serve HTTPS itself. A proxy in front of it may."
        value={tlsCert ?? (domains.value.join(", ") || null)}
        origin={originOf(tlsCert === null ? domains : { from: "option", value: tlsCert })}
        {...stateOf("https")}
      />
      <ServiceCard
        title="Backups"
        href="/app/operator/backups"
        setUp="Schedule backups"
        without="If this server breaks, everything since the last copy is lost."
        value={
          every.value === null
            ? null
            : `${everyInWords(every.value)}, ${formatCount(keep.value, "copy", "copies")} kept`
        }
        origin={originOf(every)}
        {...stateOf("backup")}
      />
      <ServiceCard
        title="Backups elsewhere"
        href={`${SYSTEM}/bucket`}
        setUp="Add a bucket"
        without="Backups are only on this server’s disk. If the disk fails, you lose them as well."
        value={bucket.value && bucketInWords(bucket.value)}
        origin={originOf(bucket)}
        {...stateOf("copies")}
      />
      <ServiceCard
        title="Mail"
        href={`${SYSTEM}/mail`}
        setUp="Set up mail"
        without="Invitations, alerts and answers to orders aren’t mailed. You copy links and send them yourself."
        value={mail.value && `${mail.value.from} by ${mail.value.host}, port ${mail.value.port}`}
        origin={originOf(mail)}
        {...stateOf("mail")}
      />
      <ServiceCard
        title="Alerts"
        href={`${SYSTEM}/alerts`}
        setUp="Set up alerts"
        without="Problems such as a full disk or a failed backup are only shown here. Add an email address to be told."
        value={channels.length === 0 ? null : channels.map(({ target }) => target).join(" and ")}
        origin={originOf(toOrigin)}
        {...stateOf("alerts")}
      />
    </>
  )
}
