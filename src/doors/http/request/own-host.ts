import { memoize } from "../../../domain/memoize.ts"

// A name that a stranger's name server points at us must not pass for ours: a page there could use a visitor's browser, and links
// would lead to the stranger. An address in digits cannot be pointed elsewhere.
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])
const DIGITS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

const NAMES_REMEMBERED_MAX = 100

export function isLoopback(name: string): boolean {
  return LOOPBACK.has(name)
}

/** Whether a host, as a request names it, is ours: loopback, in digits, or of one of these addresses. */
export function ownHostCheck(addresses: readonly string[]): (host: string) => boolean {
  const names = new Set(addresses.map((address) => new URL(address).hostname))
  return memoize(NAMES_REMEMBERED_MAX, (host: string) => {
    const name = URL.parse(`http://${host}`)?.hostname ?? ""
    return isLoopback(name) || DIGITS.test(name) || names.has(name)
  })
}
