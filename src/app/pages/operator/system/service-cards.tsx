import { alertChannels } from "../../../../actions/alerts/send-alerts.ts"
import type { Finding } from "../../../../actions/checks.ts"
import type { Context } from "../../../../actions/context.ts"
import {
  alertsInForce,
  bucketInForce,
  httpsInForce,
  mailInForce,
  scheduleInForce,
} from "../../../../actions/settings.ts"
import { bucketInWords } from "../../../../domain/operations/backup.ts"
import type { InForce } from "../../../../domain/operations/setting-kinds.ts"
import { MICROS_PER_DAY, type Moment } from "../../../../domain/time/moment.ts"
import { Badge, ButtonLink, Card, Facts } from "../../../parts/blocks.tsx"
import { formatCount } from "../../../parts/format.tsx"
import { BACKUPS, SYSTEM } from "./service.tsx"

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

/** Where a value comes from, in words. */
const originOf = ({ from }: InForce<unknown>): string =>
  ({ option: "Set by a server option", app: "Chosen here", default: "Default" })[from]

interface ServiceCardProps {
  readonly title: string
  readonly href: string
  /** What the button says before the service is set up. */
  readonly setUp: string
  /** The drawback of not setting it up. */
  readonly without: string
  /** The value in force in words. Null if the service isn't set up. */
  readonly value: string | null
  readonly origin: string
  /** How it's doing. */
  readonly finding: Finding | undefined
}

function ServiceCard({ title, href, setUp, without, value, origin, finding }: ServiceCardProps) {
  const isOff = value === null
  const isBroken = finding?.ok === false
  return (
    <Card title={title} actions={<ServiceBadge isOff={isOff} isBroken={isBroken} />}>
      {isOff ? (
        <p class="soft">{without}</p>
      ) : (
        <Facts facts={[{ term: "Setting", value: <span class="wrap">{value}</span>, note: origin }]} />
      )}
      {!isOff && finding?.ok === true && <p class="soft">{finding.detail}</p>}
      <div class="actions">
        <ButtonLink
          isSmall
          {...(isOff && { kind: "primary" })}
          href={href}
          label={isOff ? setUp : "Change"}
          about={isOff ? setUp : `Change: ${title}`}
        />
      </div>
    </Card>
  )
}

function ServiceBadge({ isOff, isBroken }: { readonly isOff: boolean; readonly isBroken: boolean }) {
  if (isBroken) return <Badge tone="bad" label="Problem" />
  if (isOff) return <Badge tone="off" shape="ring" label="Not set up" />
  return <Badge tone="good" label="On" />
}

/** A card for each service of the server: the value in force, its origin, and whether it works. The page lists problems above them. */
export async function serviceCards(context: Context, findings: readonly Finding[]) {
  const { tlsCert } = context.config
  const { domains } = await httpsInForce(context)
  const { every, keep } = await scheduleInForce(context)
  const bucket = await bucketInForce(context)
  const mail = await mailInForce(context)
  const alerts = await alertsInForce(context)
  const channels = await alertChannels(context)
  const findingOf = (wanted: string) => findings.find(({ check }) => check === wanted)
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
        finding={findingOf("https")}
      />
      <ServiceCard
        title="Backups"
        href={BACKUPS}
        setUp="Schedule backups"
        without="If this server breaks, everything since the last copy is lost."
        value={
          every.value === null
            ? null
            : `${everyInWords(every.value)}, ${formatCount(keep.value, "copy", "copies")} kept`
        }
        origin={originOf(every)}
        finding={findingOf("backup")}
      />
      <ServiceCard
        title="Backups elsewhere"
        href={`${SYSTEM}/bucket`}
        setUp="Add a bucket"
        without="Backups are only on this server’s disk. If the disk fails, you lose them as well."
        value={bucket.value && bucketInWords(bucket.value)}
        origin={originOf(bucket)}
        finding={findingOf("copies")}
      />
      <ServiceCard
        title="Mail"
        href={`${SYSTEM}/mail`}
        setUp="Set up mail"
        without="Invitations, alerts and answers to orders aren’t mailed. You copy links and send them yourself."
        value={mail.value && `${mail.value.from} by ${mail.value.host}, port ${mail.value.port}`}
        origin={originOf(mail)}
        finding={findingOf("mail")}
      />
      <ServiceCard
        title="Alerts"
        href={`${SYSTEM}/alerts`}
        setUp="Set up alerts"
        without="Problems such as a full disk or a failed backup are only shown here. Add an email address to be told."
        value={channels.length === 0 ? null : channels.map(({ target }) => target).join(" and ")}
        origin={originOf(toOrigin)}
        finding={findingOf("alerts")}
      />
    </>
  )
}
