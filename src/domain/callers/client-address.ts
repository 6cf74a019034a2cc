import { BlockList, isIP, isIPv4 } from "node:net"
import { memoize } from "../memoize.ts"

/** A block of addresses, such as 10.0.0.0/8. */
export interface Cidr {
  readonly address: string
  readonly bits: number
}

/** Parses a CIDR block; a single address is a block of one. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = "", length, ...more] = text.trim().split("/")
  if (isIP(address) === 0 || more.length > 0) return undefined
  const bitsMax = isIPv4(address) ? 32 : 128
  if (length === undefined) return { address, bits: bitsMax }
  return /^\d{1,3}$/.test(length) && Number(length) <= bitsMax ? { address, bits: Number(length) } : undefined
}

/**
 * The address by which a caller is counted; IPv6 by its /64. `X-Forwarded-For` is read from the nearest hop outwards, as long as
 * each hop is a trusted proxy.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: readonly Cidr[]): string {
  if (forwardedFor === null || trusted.length === 0 || isIP(peer) === 0) return ownName(peer)
  let address = withoutZone(peer)
  const proxies = listOf(trusted)
  const hops = forwardedFor.split(",")
  while (hops.length > 0 && isWithin(address, proxies)) {
    const hop = withoutZone(withoutPort(hops.pop()?.trim() ?? ""))
    if (isIP(hop) === 0) break
    address = hop
  }
  return nameOf(address)
}

const lists = new WeakMap<readonly Cidr[], BlockList>()

/** The blocks as one list; made once for each array. */
export function listOf(blocks: readonly Cidr[]): BlockList {
  const known = lists.get(blocks)
  if (known !== undefined) return known
  const list = new BlockList()
  for (const { address, bits } of blocks) list.addSubnet(withoutZone(address), bits, familyOf(address))
  lists.set(blocks, list)
  return list
}

/** Also matches IPv4 addresses written as IPv6. */
export function isWithin(address: string, blocks: BlockList): boolean {
  return blocks.check(address, familyOf(address))
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4"
}

const LOOPBACK = listOf([
  { address: "127.0.0.0", bits: 8 },
  { address: "::1", bits: 128 },
])

/** Whether a host to listen on is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && isWithin(withoutZone(host), LOOPBACK))
}

// ::ffff:a.b.c.d is an IPv4 address written as IPv6.
const IPV4_MARK = 0xffff
const IPV4_AS_IPV6_BITS = 96

/** Whether a block contains every IPv4 or every IPv6 address. */
export function isEverybody({ address, bits }: Cidr): boolean {
  return bits === 0 || (bits === IPV4_AS_IPV6_BITS && isIPv4(nameOf(withoutZone(address))))
}

const UNKNOWN = "unknown"
const PEERS_REMEMBERED_MAX = 1_000

const ownName = memoize(PEERS_REMEMBERED_MAX, (peer: string) =>
  isIP(peer) === 0 ? UNKNOWN : nameOf(withoutZone(peer)),
)

function nameOf(address: string): string {
  return address.includes(":") ? nameOfIpv6(address) : address
}

function nameOfIpv6(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, mark, high = 0, low = 0] = groupsOf(address)
  if (mark === IPV4_MARK && (a | b | c | d | e) === 0) {
    return `${high >>> 8}.${high & 0xff}.${low >>> 8}.${low & 0xff}`
  }
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::/64`
}

/** The eight numbers of a valid IPv6 address. */
export function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split("::").map(numbersIn)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The numbers between colons; the last two may be written as IPv4. */
function numbersIn(text: string): number[] {
  const numbers: number[] = []
  for (const part of text === "" ? [] : text.split(":")) {
    if (part.includes(".")) {
      const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number)
      numbers.push(a * 256 + b, c * 256 + d)
    } else numbers.push(Number.parseInt(part, 16))
  }
  return numbers
}

function withoutPort(hop: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1]
  return bracketed ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop)
}

export function withoutZone(address: string): string {
  const at = address.indexOf("%")
  return at < 0 ? address : address.slice(0, at)
}
