import { AcmeProblem, orderCertificate } from "./acme.ts"
import { type CertificateStore, newKey } from "./certificate.ts"
import type { HttpsPorts } from "./ports.ts"

const ORDER_MS_MAX = 180_000

interface Order {
  /** The ACME directory of the authority. */
  readonly directory: string
  readonly store: CertificateStore
  readonly ports: HttpsPorts
  readonly domains: readonly string[]
  readonly email: string | null
  readonly stopping: AbortSignal
}

/** Gets a certificate from the authority and stores it. Returns what went wrong, or null. */
export async function order(wanted: Order): Promise<AcmeProblem | null> {
  const { directory, store, ports, domains, email, stopping } = wanted
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ORDER_MS_MAX)])
  try {
    const [accountKey, key] = [await store.accountKey(), await newKey()]
    const chain = await orderCertificate({ directory, accountKey, email, domains, key, publish: ports.publish }, signal)
    await store.write(key, chain)
    return null
  } catch (cause) {
    return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", (cause as Error).message)
  } finally {
    ports.unpublish()
  }
}
