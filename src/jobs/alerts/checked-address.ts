import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import type { Cidr } from "../../domain/callers/client-address.ts"
import { isInNetworks, isPublicAddress } from "../../domain/callers/private-address.ts"

/** Finds the addresses of a host name; the system's resolver, replaced in tests. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true })

export interface CheckedAddress {
  readonly address: string
  /** Whether it is in one of the networks that were allowed, and not a public one. */
  readonly isPrivate: boolean
}

/**
 * An address of the host to connect to. Throws unless every address is public or allowed: a name that leads to a private address at all
 * is not trusted. The caller must connect to this address and not ask for the name again, because the next answer may be another one.
 */
export async function checkedAddress(
  host: string,
  allowed: readonly Cidr[],
  resolve: Resolve = systemResolve,
): Promise<CheckedAddress> {
  const name = host.replace(/^\[|\]$/g, "")
  const found = isIP(name) === 0 ? (await resolve(name)).map(({ address }) => address) : [name]
  // Not every machine that knows an IPv6 address can reach it.
  const first = found.find((address) => isIP(address) === 4) ?? found[0]
  if (first === undefined) throw new Error(`${name} has no address.`)
  for (const address of found) {
    if (!isPublicAddress(address) && !isInNetworks(address, allowed)) {
      throw new Error(
        `${name} is at ${address}, which is not a public address. Allow its network with --alert-allow-private.`,
      )
    }
  }
  return { address: first, isPrivate: !isPublicAddress(first) }
}
