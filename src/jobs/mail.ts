import { Socket } from "node:net"
import { createTransport } from "nodemailer"
import type { Letter, MailSettings } from "../domain/operations/mail.ts"
import { within } from "../within.ts"

const TIMEOUT_MS = 30_000

/** Sends an email. Returns what was wrong, in words, or null if the mail server accepted it. */
export async function sendMail(server: MailSettings, letter: Letter, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  // The socket is ours, so that we can hang up on a server that never finishes.
  const socket = new Socket()
  try {
    const sending = transportTo(server, socket, timeoutMs).sendMail(messageOf(server, letter))
    const { rejected } = await within(timeoutMs, sending, () => new Error("No answer in time"))
    // The other recipients got it, so it isn't sent again.
    return rejected.length > 0 ? `The mail server refused ${rejected.join(", ")}.` : null
  } catch (cause) {
    return `${server.host}: ${cause instanceof Error ? cause.message : String(cause)}`
  } finally {
    socket.destroy()
  }
}

function transportTo({ host, port, tls, user, password }: MailSettings, socket: Socket, timeoutMs: number) {
  return createTransport({
    host,
    port,
    socket,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(user !== null && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const messageOf = ({ from, fromName }: MailSettings, { id, to, subject, text }: Letter) => ({
  from: { name: fromName, address: from },
  to,
  subject,
  text,
  messageId: `<${id ?? crypto.randomUUID()}@${from.split("@").at(-1)}>`,
  headers: { "Auto-Submitted": "auto-generated" },
})
