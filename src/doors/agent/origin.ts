import { isLoopback, ownHostCheck } from "../http/request/own-host.ts"

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
