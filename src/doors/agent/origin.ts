import { remembered } from "../../domain/remembered.ts"

// A web page must not use a visitor's browser to talk to an agent that only the visitor can reach: the names by which
// a request calls us are checked. An address in digits cannot be pointed elsewhere by a stranger's name server.

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])
const DIGITS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

const NAMES_REMEMBERED_MAX = 100

export type OriginCheck = (request: Request) => boolean

/** Whether Host and Origin are ours: the public address, loopback, or one that the operator named. */
export function originCheck(allowed: readonly string[]): OriginCheck {
  const origins = new Set(allowed.map((address) => new URL(address).origin))
  const hosts = new Set(allowed.map((address) => new URL(address).hostname))
  const isOwn = remembered(NAMES_REMEMBERED_MAX, (host: string) => isOwnHost(host, hosts))
  return (request) => {
    const origin = request.headers.get("origin")
    return isOwn(request.headers.get("host") ?? "") && (origin === null || isOwnOrigin(origin, origins))
  }
}

function isOwnHost(host: string, hosts: ReadonlySet<string>): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ""
  return LOOPBACK.has(name) || DIGITS.test(name) || hosts.has(name)
}

function isOwnOrigin(origin: string, origins: ReadonlySet<string>): boolean {
  const url = URL.parse(origin)
  return url !== null && (origins.has(url.origin) || LOOPBACK.has(url.hostname))
}
