import { lookup } from "node:dns/promises"
import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { isIP, isIPv6, type LookupFunction } from "node:net"
import { connect } from "node:tls"
import type { Certificate } from "../../domain/alerts/alert.ts"
import { type Cidr, isInNetworks, isPublicAddress } from "../../domain/callers/client-address.ts"

/** Finds the addresses of a host name; the system's resolver, replaced in tests. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

/** For what may reach no private network at all. */
const NOWHERE: readonly Cidr[] = []

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/**
 * An address of the host to connect to. Throws unless every address is public or allowed: a name that leads to a private address at all
 * is not trusted. The caller must connect to this address and not ask for the name again, because the next answer may be another one.
 */
export async function checkedAddress(host: string, allowed: readonly Cidr[], resolve = systemResolve) {
  const name = host.replace(/^\[|\]$/g, "")
  const addresses = isIP(name) === 0 ? (await resolve(name)).map(({ address }) => address) : [name]
  // Not every machine that knows an IPv6 address can reach it.
  const first = addresses.find((address) => isIP(address) === 4) ?? addresses[0]
  if (first === undefined) throw new Error(`${name} has no address.`)
  for (const address of addresses) {
    if (!isPublicAddress(address) && !isInNetworks(address, allowed)) {
      throw new Error(
        `${name} is at ${address}, which is not a public address.${allowed === NOWHERE ? "" : " Allow its network with --alert-allow-private."}`,
      )
    }
  }
  // One that is not public is in a network that was allowed.
  return { address: first, isPrivate: !isPublicAddress(first) }
}

/** For people. */
export const whyAborted = ({ reason }: AbortSignal) =>
  reason instanceof DOMException && reason.name === "TimeoutError" ? "No answer in time." : "The server was stopped."

/** What cannot be stopped need not be waited for. */
export function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error(whyAborted(signal)))
  if (signal.aborted) giveUp()
  signal.addEventListener("abort", giveUp)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", giveUp))
}

// The rest of a longer answer is not read.
const ANSWER_BYTES_MAX = 64 * 1024

interface OutsideRequest {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string
  readonly signal: AbortSignal
  /** In tests: the certificate authority to trust. */
  readonly ca?: string | undefined
}

export interface OutsideAnswer {
  readonly status: number
  /** As much of it as is read. */
  readonly text: string
}

/** What is answered at a URL by exactly this address. Redirects are not followed: they could lead anywhere. */
export function askAddress(url: string, address: string, asked: OutsideRequest): Promise<OutsideAnswer> {
  const { method, headers, body, signal, ca } = asked
  const request = url.startsWith("https:") ? requestHttps : requestHttp
  // The name stays in Host and in the check of the certificate, but is not looked up again.
  const lookup = ((_, options, callback) => {
    const family = isIPv6(address) ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }) satisfies LookupFunction
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>()
  const sent = request(url, { method, headers, lookup, agent: false, ...(ca !== undefined && { ca }) })
  const giveUp = () => sent.destroy(new Error(whyAborted(signal)))
  signal.addEventListener("abort", giveUp)
  // It may have come while the address was looked for.
  if (signal.aborted) giveUp()
  sent.on("error", (cause) => reject(new Error(cause.message || "The connection failed.")))
  sent.on("response", (answer) => {
    const read: Buffer[] = []
    let bytes = 0
    answer.on("data", (chunk: Buffer) => {
      read.push(chunk)
      bytes += chunk.length
      if (bytes > ANSWER_BYTES_MAX) answer.destroy()
    })
    // Also where the answer was cut off: its status has come.
    answer.on("error", () => undefined)
    answer.on("close", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(read).toString("utf8") }))
  })
  sent.on("close", () => reject(new Error("The receiver closed the connection without an answer.")))
  sent.end(body)
  return promise.finally(() => {
    signal.removeEventListener("abort", giveUp)
    sent.destroy()
  })
}

const LOOK_MS = 5_000

/** What strangers get at an https address: never from a private one, so that nobody looks into our own network. Throws why there is nothing. */
export async function lookOutside(url: string, resolve?: Resolve): Promise<OutsideAnswer> {
  const signal = AbortSignal.timeout(LOOK_MS)
  const { address } = await within(signal, checkedAddress(new URL(url).hostname, NOWHERE, resolve))
  return askAddress(url, address, { method: "GET", headers: { "User-Agent": "Adbooth" }, signal })
}

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
  socket.on("error", () => resolve(null))
  socket.on("close", () => resolve(null))
  socket.on("secureConnect", () => {
    const { valid_from, valid_to } = socket.getPeerCertificate()
    const [validFrom, validUntil] = [Date.parse(valid_from) * 1_000, Date.parse(valid_to) * 1_000]
    resolve(Number.isFinite(validUntil) ? { host, validFrom, validUntil } : null)
  })
  const inTime = within(AbortSignal.timeout(timeoutMs), promise).catch(() => null)
  return inTime.finally(() => socket.destroy())
}
