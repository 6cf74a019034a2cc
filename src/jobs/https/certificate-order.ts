import type { Config } from "../../config.ts"
import { messageOf } from "../../domain/user-error.ts"
import { AcmeProblem, orderCertificate } from "./acme.ts"
import { type CertificateFiles, newKey, pemOf } from "./certificate-files.ts"
import type { HttpsPorts } from "./https-ports.ts"

const ORDER_MS_MAX = 180_000

export interface CertificateOrder {
  readonly files: CertificateFiles
  readonly ports: HttpsPorts
  readonly domains: readonly string[]
  readonly email: string | null
  readonly stopping: AbortSignal
}

/** Gets a certificate from the authority and stores it. What was wrong, if it failed. */
export async function order(
  { acmeDirectory: directory }: Pick<Config, "acmeDirectory">,
  { files, ports, domains, email, stopping }: CertificateOrder,
): Promise<AcmeProblem | null> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ORDER_MS_MAX)])
  try {
    const [accountKey, key] = [await files.accountKey(), await newKey()]
    const asked = { directory, accountKey, email, names: domains, key, publish: ports.publish }
    files.write(await pemOf(key), await orderCertificate(asked, signal))
    return null
  } catch (cause) {
    return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", messageOf(cause))
  } finally {
    ports.unpublish()
  }
}
