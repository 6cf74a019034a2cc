import { isIP } from "node:net"
import { type Cidr, groupsOf, isWithin, listOf, parseCidr, withoutZone } from "./client-address.ts"

// Which addresses are part of the public internet. Whatever is not could be a machine, or a cloud's metadata service, that only we reach.
// From the IANA registries of special-purpose addresses.

const blocks = (...texts: readonly string[]): readonly Cidr[] =>
  texts.map((text) => parseCidr(text)).filter((block) => block !== undefined)

const NOT_PUBLIC_IPV4 = blocks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Link-local; the metadata services of most clouds.
  "169.254.0.0/16",
  // The metadata service of Azure, in a public range.
  "168.63.129.16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
)

const PUBLIC_IPV6 = blocks("2000::/3")
// 2001::/23 and 2002::/16 carry IPv4 addresses, which could be private ones.
const NOT_PUBLIC_IPV6 = blocks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

const IPV4_MAPPED = blocks("::ffff:0:0/96")
// Where a network has only IPv6, this is how every IPv4 address looks.
const NAT64 = blocks("64:ff9b::/96")

/** Whether everybody reaches the same machine at this IP address. */
export function isPublicAddress(text: string): boolean {
  const address = withoutZone(text)
  const family = isIP(address)
  if (family === 0) return false
  if (family === 4) return !isWithin(address, listOf(NOT_PUBLIC_IPV4))
  if (isWithin(address, listOf(NAT64)) || isWithin(address, listOf(IPV4_MAPPED)))
    return isPublicAddress(ipv4In(address))
  return isWithin(address, listOf(PUBLIC_IPV6)) && !isWithin(address, listOf(NOT_PUBLIC_IPV6))
}

/** The IPv4 address in the last 32 bits. */
function ipv4In(address: string): string {
  const [high = 0, low = 0] = groupsOf(address).slice(6)
  return `${high >>> 8}.${high & 0xff}.${low >>> 8}.${low & 0xff}`
}

/** Whether the address is in one of the networks. */
export function isInNetworks(text: string, networks: readonly Cidr[]): boolean {
  const address = withoutZone(text)
  return isIP(address) !== 0 && isWithin(address, listOf(networks))
}
