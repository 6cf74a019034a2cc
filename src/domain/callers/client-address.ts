import { BlockList, isIP, isIPv4 } from "node:net"
import { memoize } from "../memoize.ts"

/** A block of addresses, such as 10.0.0.0/8. */
export type Cidr = Readonly<{ address: string; bits: number }>

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

function listOf(blocks: readonly Cidr[]): BlockList {
  const cached = lists.get(blocks)
  if (cached !== undefined) return cached
  const list = new BlockList()
  for (const { address, bits } of blocks) list.addSubnet(withoutZone(address), bits, familyOf(address))
  lists.set(blocks, list)
  return list
}

/** Also matches IPv4 addresses written as IPv6. */
const isWithin = (address: string, blocks: BlockList): boolean => blocks.check(address, familyOf(address))

const familyOf = (address: string): "ipv4" | "ipv6" => (address.includes(":") ? "ipv6" : "ipv4")

const blocks = (texts: string): readonly Cidr[] => texts.split(" ").flatMap((text) => parseCidr(text) ?? [])

const LOOPBACK = listOf(blocks("127.0.0.0/8 ::1"))

/** Whether a host to listen on is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && isWithin(withoutZone(host), LOOPBACK))

// ::ffff:a.b.c.d is an IPv4 address written as IPv6.
const IPV4_MARK = 0xffff
const IPV4_AS_IPV6_BITS = 96

/** Whether a block contains every IPv4 or every IPv6 address. */
export const isEverybody = ({ address, bits }: Cidr): boolean =>
  bits === 0 || (bits === IPV4_AS_IPV6_BITS && isIPv4(nameOf(withoutZone(address))))

const UNKNOWN = "unknown"
const PEERS_REMEMBERED_MAX = 1_000

const ownName = memoize(PEERS_REMEMBERED_MAX, (peer: string) =>
  isIP(peer) === 0 ? UNKNOWN : nameOf(withoutZone(peer)),
)

const nameOf = (address: string): string => (address.includes(":") ? nameOfIpv6(address) : address)

function nameOfIpv6(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, mark] = groupsOf(address)
  if (mark === IPV4_MARK && (a | b | c | d | e) === 0) return ipv4In(address)
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}::/64`
}

/** The IPv4 address in the last 32 bits. */
function ipv4In(address: string): string {
  const [high = 0, low = 0] = groupsOf(address).slice(6)
  return `${high >>> 8}.${high & 0xff}.${low >>> 8}.${low & 0xff}`
}

/** Not by URL: it refuses some addresses that are valid. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.split("::").map(numbersIn)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The numbers between colons; the last two may be written as IPv4. */
const numbersIn = (text: string): number[] =>
  (text === "" ? [] : text.split(":")).flatMap((part) => {
    if (!part.includes(".")) return Number.parseInt(part, 16)
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number)
    return [a * 256 + b, c * 256 + d]
  })

function withoutPort(hop: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1]
  return bracketed ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop)
}

function withoutZone(address: string): string {
  const at = address.indexOf("%")
  return at < 0 ? address : address.slice(0, at)
}

// Which addresses are part of the public internet. Whatever is not could be a machine, or a cloud's metadata service, that only we reach.
// From the IANA registries of special-purpose addresses.

// 169.254.0.0/16 has the metadata services of most clouds; that of Azure, 168.63.129.16, is in a public range.
// 2001::/23 and 2002::/16 carry IPv4 addresses, which could be private ones.
const NOT_PUBLIC = blocks(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 168.63.129.16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 " +
    "2001::/23 2001:db8::/32 2002::/16 3fff::/20",
)
const PUBLIC_IPV6 = blocks("2000::/3")
// An IPv4 address written as IPv6, and how every IPv4 address looks where a network has only IPv6.
const IPV4_INSIDE = blocks("::ffff:0:0/96 64:ff9b::/96")

/** Whether everybody reaches the same machine at this IP address. */
export function isPublicAddress(text: string): boolean {
  const address = withoutZone(text)
  const family = isIP(address)
  if (family === 0) return false
  if (family === 4) return !isWithin(address, listOf(NOT_PUBLIC))
  if (isWithin(address, listOf(IPV4_INSIDE))) return isPublicAddress(ipv4In(address))
  return isWithin(address, listOf(PUBLIC_IPV6)) && !isWithin(address, listOf(NOT_PUBLIC))
}

export function isInNetworks(text: string, networks: readonly Cidr[]): boolean {
  const address = withoutZone(text)
  return isIP(address) !== 0 && isWithin(address, listOf(networks))
}
