import type { Moment } from "../../domain/time/moment.ts"
import type { ServedCertificate } from "./certificate-files.ts"

/** Where the certificate of a server comes from. */
export interface CertificateSource {
  readonly certificate: ServedCertificate | null
  /** When something has to be done about it; null where that is not known. */
  readonly dueAt: Moment | null
  /** Serves what is there. */
  begin(): Promise<void>
  /** Looks whether something has to be done, does it, and notes how it stands. */
  keep(): Promise<void>
}
