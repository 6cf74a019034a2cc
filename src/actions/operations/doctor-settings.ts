import { type Cidr, isEverybody, isLoopback } from "../../domain/client-address.ts"
import { type DoctorFinding, finding } from "../../domain/operations/doctor-finding.ts"

/** The settings that can be wrong although each is well-formed. */
export interface SettingsInForce {
  readonly host: string
  readonly publicUrl: string | null
  readonly trustProxy: readonly Cidr[]
  /** Permission bits of the data directory; null where there are none. */
  readonly dataMode: number | null
}

const OTHERS = 0o007

/** Looks for settings that endanger keys, addresses or data. */
export function doctorSettings(settings: SettingsInForce): DoctorFinding[] {
  return [examineTls(settings), examineProxy(settings), examineDirectory(settings)]
}

function examineTls({ host, publicUrl }: SettingsInForce): DoctorFinding {
  const isOpen = !isLoopback(host)
  const isEncrypted = publicUrl?.startsWith("https:") ?? false
  const detail = isEncrypted
    ? `callers come by ${publicUrl}`
    : isOpen
      ? `${host} is open to other machines, and nothing says that TLS is in front`
      : "only this machine can connect"
  const advice =
    "Keys and passwords would travel readable. Put a proxy with TLS in front (deploy/Caddyfile), listen on --host 127.0.0.1, and set --public-url https://..."
  return finding("tls", isEncrypted || !isOpen, detail, advice)
}

function examineProxy({ publicUrl, trustProxy }: SettingsInForce): DoctorFinding {
  if (trustProxy.some(isEverybody)) {
    const advice = "Name only your own proxy: --trust-proxy 127.0.0.1."
    return finding(
      "proxy",
      false,
      "everybody's X-Forwarded-For is believed, so that anybody can claim any address",
      advice,
    )
  }
  const isMissing = publicUrl?.startsWith("https:") === true && trustProxy.length === 0
  const detail = isMissing
    ? "TLS ends in a proxy that is not named, so that all callers without a key share one address and its limit"
    : trustProxy.length > 0
      ? "named"
      : "none"
  return finding("proxy", !isMissing, detail, "Name it: --trust-proxy 127.0.0.1 if it runs on this machine.")
}

function examineDirectory({ dataMode }: SettingsInForce): DoctorFinding {
  const isOpen = dataMode !== null && (dataMode & OTHERS) !== 0
  const detail = isOpen ? "every user of this machine can look into it" : "nobody else on this machine can look into it"
  return finding("data directory", !isOpen, detail, "Close it: chmod 700 on the data directory.")
}
