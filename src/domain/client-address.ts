import { memoize } from "./memoize.ts"

/** An address as eight 16-bit groups. IPv4 is held in its mapped form, so that both kinds compare alike. */
type Groups = readonly number[]

/** A block of addresses, such as 10.0.0.0/8. */
export interface Cidr {
  readonly groups: Groups
  readonly bits: number
}

const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff]
const IPV4_BITS_BEFORE = 96

/** The block that a text names, or undefined. A single address is a block of one. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = "", length, ...more] = text.trim().split("/")
  const groups = parseAddress(address)
  if (groups === undefined || more.length > 0) return undefined
  const before = address.includes(":") ? 0 : IPV4_BITS_BEFORE
  if (length === undefined) return { groups, bits: 128 }
  if (!/^\d{1,3}$/.test(length) || before + Number(length) > 128) return undefined
  return { groups, bits: before + Number(length) }
}

/**
 * The name by which a caller is counted: its own address, an IPv6 one by its /64. What `X-Forwarded-For` says is believed
 * only as far as each hop is a proxy that the operator named, read from the nearest hop outwards.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: readonly Cidr[]): string {
  if (forwardedFor === null || trusted.length === 0) return ownName(peer)
  let groups = parseAddress(peer)
  if (groups === undefined) return UNKNOWN
  const hops = forwardedFor.split(",")
  while (hops.length > 0 && isWithin(groups, trusted)) {
    const hop = parseAddress(withoutPort(hops.pop()?.trim() ?? ""))
    if (hop === undefined) break
    groups = hop
  }
  return nameOf(groups)
}

const UNKNOWN = "unknown"
const PEERS_REMEMBERED_MAX = 1_000

const ownName = memoize(PEERS_REMEMBERED_MAX, (peer: string) => {
  const groups = parseAddress(peer)
  return groups === undefined ? UNKNOWN : nameOf(groups)
})

const LOOPBACK = [parseCidr("127.0.0.0/8"), parseCidr("::1")].filter((block) => block !== undefined)

/** Whether only this machine can reach a host to listen on. */
export function isLoopback(host: string): boolean {
  const groups = parseAddress(host)
  return host === "localhost" || (groups !== undefined && isWithin(groups, LOOPBACK))
}

/** Whether a block holds every IPv4 or every IPv6 address. */
export function isEverybody({ groups, bits }: Cidr): boolean {
  return bits === 0 || (bits === IPV4_BITS_BEFORE && sharesBits(groups, IPV4_MAPPED, IPV4_BITS_BEFORE))
}

function isWithin(groups: Groups, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => sharesBits(groups, block.groups, block.bits))
}

function sharesBits(one: Groups, other: Groups, bits: number): boolean {
  for (let i = 0; i * 16 < bits; i++) {
    const unused = Math.max(0, 16 - (bits - i * 16))
    if ((one[i] ?? 0) >>> unused !== (other[i] ?? 0) >>> unused) return false
  }
  return true
}

function nameOf(groups: Groups): string {
  if (sharesBits(groups, IPV4_MAPPED, IPV4_BITS_BEFORE)) {
    return groups
      .slice(6)
      .flatMap((group) => [group >>> 8, group & 0xff])
      .join(".")
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

function withoutPort(hop: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1]
  return bracketed ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop)
}

function parseAddress(text: string): Groups | undefined {
  if (!text.includes(":")) {
    const last = parseIpv4(text)
    return last && [...IPV4_MAPPED, ...last]
  }
  const [head = "", tail, ...more] = withoutZone(text).split("::")
  const before = parseGroups(head)
  if (before === undefined || more.length > 0) return undefined
  if (tail === undefined) return before.length === 8 ? before : undefined
  const after = parseGroups(tail)
  if (after === undefined || before.length + after.length > 7) return undefined
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function withoutZone(text: string): string {
  const at = text.indexOf("%")
  return at < 0 ? text : text.slice(0, at)
}

/** Groups between colons; the last may be written as IPv4. */
function parseGroups(text: string): number[] | undefined {
  if (text === "") return []
  const groups: number[] = []
  const parts = text.split(":")
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16))
    else {
      const last = i === parts.length - 1 ? parseIpv4(part) : undefined
      if (last === undefined) return undefined
      groups.push(...last)
    }
  }
  return groups
}

function parseIpv4(text: string): [number, number] | undefined {
  const bytes = text.split(".")
  if (bytes.length !== 4 || !bytes.every((byte) => /^\d{1,3}$/.test(byte) && Number(byte) < 256)) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  return [a * 256 + b, c * 256 + d]
}
