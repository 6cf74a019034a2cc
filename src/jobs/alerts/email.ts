import type { AlertChannel } from "../../actions/alerts/send-alerts.ts"
import { headline, plainText } from "../../domain/alerts/alert-content.ts"
import type { SmtpServer } from "../../domain/operations/service-settings.ts"
import { type SendingHow, sendMail } from "../mail/send-mail.ts"

export interface EmailSettings extends Omit<SendingHow, "stopped"> {
  readonly server: SmtpServer
  readonly to: readonly string[]
  readonly from: string | null
}

/** Whom mail comes from: as chosen, else the user of the mail server, else the first recipient. */
export const senderOf = ({ user }: SmtpServer, from: string | null, to: readonly string[]): string =>
  from ?? (user?.includes("@") ? user : (to[0] ?? ""))

export function emailChannel({ server, to, from, ...how }: EmailSettings): AlertChannel {
  const address = senderOf(server, from, to)
  return {
    name: "email",
    target: `${to.join(", ")} through ${server.host}:${server.port}`,
    send({ id, content, origin }, stopped) {
      const subject = `Adbooth: ${headline(content)}`
      const mail = { id, from: { name: "Adbooth", address }, to, subject, text: plainText(content, origin) }
      return sendMail(server, mail, { ...how, stopped })
    },
  }
}
