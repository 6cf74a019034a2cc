import { isIP } from "node:net"
import { connect } from "node:tls"
import type { Certificate } from "../../domain/alerts/certificate.ts"

const TIMEOUT_MS = 10_000
const HTTPS_PORT = 443

/** The certificate that is served at an https address; null where none can be read, for whatever reason. */
export function certificateAt(url: string, timeoutMs = TIMEOUT_MS): Promise<Certificate | null> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== "https:") return Promise.resolve(null)
  const host = hostname.replace(/^\[|\]$/g, "")
  const { promise, resolve } = Promise.withResolvers<Certificate | null>()
  // It is only looked at: one that has ended is what we are looking for.
  const socket = connect({
    host,
    port: port === "" ? HTTPS_PORT : Number(port),
    // An IP address is no server name.
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
  })
  const timer = setTimeout(() => resolve(null), timeoutMs)
  socket.on("error", () => resolve(null))
  socket.on("close", () => resolve(null))
  socket.on("secureConnect", () => {
    const { valid_from, valid_to } = socket.getPeerCertificate()
    const [validFrom, validUntil] = [Date.parse(valid_from) * 1_000, Date.parse(valid_to) * 1_000]
    resolve(Number.isFinite(validUntil) ? { host, validFrom, validUntil } : null)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
