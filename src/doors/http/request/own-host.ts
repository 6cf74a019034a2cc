import { memoize } from "../../../domain/memoize.ts"

// Against DNS rebinding: a stranger's domain may resolve to this server, so its pages could call us from a visitor's browser, and our
// links would lead to the stranger. An IP address cannot be made to resolve elsewhere.
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

const HOSTS_CACHED_MAX = 100

export function isLoopback(name: string): boolean {
  return LOOPBACK.has(name)
}

/** Whether the Host of a request is ours: loopback, an IP address, or the host of one of these addresses. */
export function ownHostCheck(addresses: readonly string[]): (host: string) => boolean {
  const names = new Set(addresses.map((address) => new URL(address).hostname))
  return memoize(HOSTS_CACHED_MAX, (host: string) => {
    const name = URL.parse(`http://${host}`)?.hostname ?? ""
    return isLoopback(name) || IP_ADDRESS.test(name) || names.has(name)
  })
}
