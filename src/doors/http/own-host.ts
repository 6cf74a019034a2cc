import { memoize } from "../../domain/memoize.ts"

// Against DNS rebinding: a stranger's domain may resolve to this server, so its pages could call us from a visitor's browser, and our
// links would lead to the stranger. An IP address cannot be made to resolve elsewhere.
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

const HOSTS_CACHED_MAX = 100

export const isLoopback = (name: string): boolean => LOOPBACK.has(name)

/** Whether the Host of a request is ours: loopback, an IP address, or the host of one of these addresses. */
export function ownHostCheck(addresses: readonly string[]): (host: string) => boolean {
  const names = new Set(addresses.map((address) => new URL(address).hostname))
  return memoize(HOSTS_CACHED_MAX, (host: string) => {
    const name = URL.parse(`http://${host}`)?.hostname ?? ""
    return isLoopback(name) || IP_ADDRESS.test(name) || names.has(name)
  })
}

// Against DNS rebinding: a web page must not reach, through a visitor's browser, an agent that only the visitor can reach.

export type OriginCheck = (request: Request) => boolean

/** Whether Host and Origin are ours: the public address, loopback, or one that the operator allowed. */
export function originCheck(allowed: readonly string[]): OriginCheck {
  const origins = new Set(allowed.map((address) => new URL(address).origin))
  const isOwnHost = ownHostCheck(allowed)
  return (request) => {
    const origin = request.headers.get("origin")
    return isOwnHost(request.headers.get("host") ?? "") && (origin === null || isOwnOrigin(origin, origins))
  }
}

function isOwnOrigin(origin: string, origins: ReadonlySet<string>): boolean {
  const url = URL.parse(origin)
  return url !== null && (origins.has(url.origin) || isLoopback(url.hostname))
}
