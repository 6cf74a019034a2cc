import { networkInterfaces } from "node:os"
import { type Config, usesPostgres } from "../config.ts"
import type { HttpsChoice } from "../domain/operations/https.ts"
import { ownHostCheck } from "../doors/http/own-host.ts"
import { certificateInForce } from "../jobs/https/certificate-files.ts"

/** Addresses that Host may name, besides loopback and IP addresses. */
export function ownAddresses({ publicUrl, agentUrl, allowOrigin, host }: Config): string[] {
  const own = [publicUrl, agentUrl].filter((address) => address !== null)
  const listening = URL.canParse(`http://${host}`) ? [`http://${host}`] : []
  return [...own, ...allowOrigin, ...listening]
}

/**
 * The origin of links on a page requested at `url`: the public one; else the requested one, if it is ours; else where we listen. Never
 * an unchecked Host, which anybody can send.
 */
export function linkOrigins(config: Config, listening: () => string): (url: URL) => string {
  const isOwnHost = ownHostCheck(ownAddresses(config))
  return (url) => config.publicUrl ?? (isOwnHost(url.host) ? url.origin : listening())
}

/**
 * The origin of links in mail that a stranger asked for: the public one; else the requested one, if it is an address of this machine; else
 * where we listen. Another IP address in Host would lead the person who gets the mail, and the secret in the link, to the stranger.
 */
export function mailOrigins({ publicUrl }: Config, listening: () => string): (url: URL) => string {
  return (url) => publicUrl ?? (isOfThisMachine(url, new URL(listening()).port) ? url.origin : listening())
}

const isOfThisMachine = ({ hostname, port }: URL, listeningPort: string): boolean =>
  port === listeningPort &&
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family, address }) => hostname === (family === "IPv6" ? `[${address}]` : address)),
  )

/** Browsers cannot open the addresses that mean "every address of this machine", which a container listens on. */
export const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/** The agent's address in answers: the configured one, else where it listens. */
export const agentAddress = ({ agentUrl, publicUrl }: Config, listening: string): string =>
  `${agentUrl ?? publicUrl ?? listening}/`

/** Where brand.json is published, once the company is named; null: nowhere. The standard knows it under https only. */
export function brandAddress({ publicUrl, agentUrl }: Config): string | null {
  const isSecure = [publicUrl, agentUrl ?? publicUrl].every((url) => url?.startsWith("https:"))
  return isSecure ? `${publicUrl}/.well-known/brand.json` : null
}

/** The settings with the domain that was chosen in the app, unless an option names one, and with the public address that follows. */
export function withHttps(config: Config, choice: HttpsChoice | null): Config {
  const isChosen = choice !== null && config.domain.length === 0 && config.tlsCert === null && !usesPostgres(config)
  const { domain } = isChosen ? { domain: choice.domains } : config
  const [first] = config.tlsCert === null ? domain : namesInCertificate(config)
  if (first === undefined) return config
  const own = new URL(`https://${first}:${config.httpsPort}`).origin
  return { ...config, domain, publicUrl: config.publicUrl ?? own }
}

// Not only of the internet: a certificate of one's own may be for any name.
const HOST_NAME = /^[\w.-]+$/

/** None where it is for many names (*.example.org), or cannot be read: that is said once the server runs. */
function namesInCertificate(config: Config): readonly string[] {
  try {
    return certificateInForce(config)?.names.filter((name) => HOST_NAME.test(name)) ?? []
  } catch {
    return []
  }
}
