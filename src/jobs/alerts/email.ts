import { Socket } from "node:net"
import { createTransport } from "nodemailer"
import type { AlertChannel } from "../../actions/alerts/alert-channel.ts"
import { headline, plainText } from "../../domain/alerts/alert-content.ts"
import type { SmtpServer } from "../../domain/alerts/alert-settings.ts"
import { within } from "./network.ts"

const TIMEOUT_MS = 30_000

export interface EmailSettings {
  readonly server: SmtpServer
  readonly to: readonly string[]
  readonly from: string | null
  readonly timeoutMs?: number
  /** In tests: the certificate authority to trust. */
  readonly ca?: string
}

/** Sends alerts by email. */
export function emailChannel({ server, to, from, ca, timeoutMs = TIMEOUT_MS }: EmailSettings): AlertChannel {
  const { host, port, tls, user, password } = server
  const [first = ""] = to
  const sender = from ?? (user?.includes("@") ? user : first)
  return {
    name: "email",
    target: `${to.join(", ")} through ${host}:${port}`,
    async send({ id, content, origin }, stopped) {
      // A connection for each message: they are rare. It is ours, so that a server that never finishes can be hung up on.
      const socket = new Socket()
      const transport = createTransport({
        host,
        port,
        socket,
        secure: tls === "implicit",
        requireTLS: tls === "starttls",
        ignoreTLS: tls === "none",
        ...(user !== null && { auth: { user, pass: password ?? "" } }),
        ...(ca !== undefined && { tls: { ca } }),
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = stopped === undefined ? timeout : AbortSignal.any([timeout, stopped])
      const message = {
        from: { name: "Adbooth", address: sender },
        to: [...to],
        subject: `Adbooth: ${headline(content)}`,
        text: plainText(content, origin),
        // The same for every attempt, so that mail programs show it once.
        messageId: `<${id}@${sender.split("@").at(-1)}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      }
      try {
        const { rejected } = await within(signal, transport.sendMail(message))
        // Not an error: whoever got it would get it again.
        return rejected.length > 0 ? `The mail server refused ${rejected.join(", ")}.` : null
      } finally {
        socket.destroy()
      }
    },
  }
}
