import { type Cidr, isEverybody, isLoopback } from "../../domain/callers/client-address.ts"
import { type DoctorFinding, finding } from "../../domain/operations/doctor-finding.ts"

/** Settings that can be unsafe although each is valid. */
export interface SettingsInForce {
  readonly host: string
  readonly publicUrl: string | null
  readonly trustProxy: readonly Cidr[]
  /** Permission bits of the data directory; null on Windows, and where it holds no database. */
  readonly dataMode: number | null
}

const OTHERS = 0o007

/** Checks for settings that put keys, addresses or data at risk. */
export function doctorSettings(settings: SettingsInForce): DoctorFinding[] {
  const { dataMode } = settings
  return [checkTls(settings), checkProxy(settings), ...(dataMode === null ? [] : [checkDirectory(dataMode)])]
}

function checkTls({ host, publicUrl }: SettingsInForce): DoctorFinding {
  const isOpen = !isLoopback(host)
  const isEncrypted = publicUrl?.startsWith("https:") ?? false
  const detail = isEncrypted
    ? `callers use ${publicUrl}`
    : isOpen
      ? `${host} is reachable from other machines, apparently without TLS`
      : "only this machine can connect"
  const advice =
    "Keys and passwords would be sent in clear text. Put a proxy with TLS in front (deploy/Caddyfile), listen on --host 127.0.0.1, and set --public-url https://..."
  return finding("tls", isEncrypted || !isOpen, detail, advice)
}

function checkProxy({ publicUrl, trustProxy }: SettingsInForce): DoctorFinding {
  if (trustProxy.some(isEverybody)) {
    const advice = "Name only your own proxy: --trust-proxy 127.0.0.1."
    return finding(
      "proxy",
      false,
      "X-Forwarded-For is trusted from everywhere, so anybody can claim any address",
      advice,
    )
  }
  const isMissing = publicUrl?.startsWith("https:") === true && trustProxy.length === 0
  const detail = isMissing
    ? "TLS ends in a proxy that is not trusted, so all callers without a key share one address and its limit"
    : trustProxy.length > 0
      ? "named"
      : "none"
  return finding("proxy", !isMissing, detail, "Name it: --trust-proxy 127.0.0.1 if it runs on this machine.")
}

function checkDirectory(dataMode: number): DoctorFinding {
  const isOpen = (dataMode & OTHERS) !== 0
  const detail = isOpen ? "every user of this machine can read it" : "no other user of this machine can read it"
  return finding("data directory", !isOpen, detail, "Restrict it: chmod 700 on the data directory.")
}
