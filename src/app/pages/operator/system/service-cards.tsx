import { bucketInWords } from "../../../../domain/operations/bucket.ts"
import type { Finding } from "../../../../domain/operations/finding.ts"
import { formatCount } from "../../../parts/format.tsx"
import { everyInWords } from "./schedule.ts"
import { originOf, ServiceCard, SYSTEM } from "./service.tsx"
import type { Services } from "./services.ts"

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
