import { Socket } from "node:net"
import type { SmtpServer } from "../../domain/operations/service-settings.ts"
import { within } from "../alerts/network.ts"

const TIMEOUT_MS = 30_000

export interface OutgoingMail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The same for every attempt, so that mail programs show it once. */
  readonly id: string
}

export interface SendingHow {
  readonly stopped?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** In tests: the certificate authority to trust. */
  readonly ca?: string | undefined
}

/** Sends one message. Returns whom the server refused although somebody got it, or null. */
export async function sendMail(server: SmtpServer, mail: OutgoingMail, how: SendingHow = {}): Promise<string | null> {
  // Loaded on demand: most installations do not need it.
  const { createTransport } = await import("nodemailer")
  const { host, port, tls, user, password } = server
  const { timeoutMs = TIMEOUT_MS, ca, stopped } = how
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
  const { from, to, subject, text, id } = mail
  const message = {
    from: { ...from },
    to: [...to],
    subject,
    text,
    messageId: `<${id}@${from.address.split("@").at(-1)}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  }
  try {
    const { rejected } = await within(signal, transport.sendMail(message))
    // Not an error: those who got it would get it again.
    return rejected.length > 0 ? `The mail server refused ${rejected.join(", ")}.` : null
  } finally {
    socket.destroy()
  }
}
