// Against DNS rebinding: a stranger's domain may resolve to this server, so its pages could call us from a visitor's browser. An IP
// address can't be made to resolve elsewhere.

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

/** Whether Host names this server: loopback, an IP address, or the host of one of these URLs. */
export function hasOwnHost(request: Request, ownUrls: readonly string[]): boolean {
  const name = URL.parse(`http://${request.headers.get("host") ?? ""}`)?.hostname ?? ""
  return LOOPBACK.includes(name) || IP_ADDRESS.test(name) || ownUrls.some((url) => new URL(url).hostname === name)
}

/** Whether Origin is absent, loopback, or one of these URLs. */
export function hasOwnOrigin(request: Request, ownUrls: readonly string[]): boolean {
  const origin = request.headers.get("origin")
  if (origin === null) return true
  const url = URL.parse(origin)
  if (url === null) return false
  return LOOPBACK.includes(url.hostname) || ownUrls.some((own) => new URL(own).origin === url.origin)
}
