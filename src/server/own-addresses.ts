import type { Config } from "../config.ts"
import { ownHostCheck } from "../doors/http/request/own-host.ts"

/** Addresses by which we may be called, beside loopback and those in digits. */
export function ownAddresses({ publicUrl, agentUrl, allowOrigin, host }: Config): string[] {
  const own = [publicUrl, agentUrl].filter((address) => address !== null)
  const listening = URL.canParse(`http://${host}`) ? [`http://${host}`] : []
  return [...own, ...allowOrigin, ...listening]
}

/**
 * The address that links begin with, for a page that was asked for at `url`: the public one; else the one that was asked for, if it is
 * ours; else the one that we listen on. Anybody can send any Host, so that a link must not be made of it.
 */
export function linkOrigins(config: Config, listening: () => string): (url: URL) => string {
  const isOwnHost = ownHostCheck(ownAddresses(config))
  return (url) => config.publicUrl ?? (isOwnHost(url.host) ? url.origin : reachable(listening()))
}

/** "Every address of this machine" is none that a browser could open. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}
