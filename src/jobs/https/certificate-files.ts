import { createPrivateKey, X509Certificate } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Config } from "../../config.ts"
import type { CertificateFacts } from "../../domain/operations/https.ts"
import { UserError } from "../../domain/user-error.ts"
import { makeOwnedFolders, replaceFile } from "../../files/new-file.ts"
import { readText } from "../../files/read-text.ts"

export interface ServedCertificate extends CertificateFacts {
  readonly cert: string
  readonly key: string
}

const PEM = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n?/g

/** Throws unless the first certificate belongs to the key. */
function readCertificate(cert: string, key: string): ServedCertificate {
  const first = readPem("The certificate", () => new X509Certificate(cert))
  // Refuses a key of another certificate before anybody is served with it.
  const isItsKey = first.checkPrivateKey(readPem("The key of the certificate", () => createPrivateKey(key)))
  if (!isItsKey) throw new UserError("The key does not belong to the certificate.")
  const names = (first.subjectAltName ?? "").split(", ").map((name) => name.replace(/^DNS:/, ""))
  const issuer = /(?:^|\n)(?:O|CN)=(.+)/.exec(first.issuer)?.[1] ?? "an unknown authority"
  return { cert, key, issuer, names, validFrom: momentOf(first.validFrom), validUntil: momentOf(first.validTo) }
}

/** The runtime names the routine that failed, which helps nobody. */
function readPem<Result>(what: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new UserError(`${what} cannot be read: it is not in PEM form, or is cut off.`, { cause })
  }
}

/** The operator's own certificate and key. */
export const readOwnFiles = (cert: string, key: string): ServedCertificate =>
  readCertificate(readText(cert), readText(key))

const momentOf = (text: string) => Date.parse(text) * 1_000

/** Certificate, its key and the account's key, in the data directory, for their owner only. */
export function certificateFiles(data: string) {
  const folder = join(data, "https")
  // Key and chain in one file: a crash between two would leave a pair that does not fit.
  const [certificate, account] = [join(folder, "certificate.pem"), join(folder, "account.pem")]
  const write = (path: string, text: string) => {
    makeOwnedFolders(folder)
    replaceFile(path, text, 0o600)
  }
  return {
    /** Null where there is none, or none that can be used. */
    read(): ServedCertificate | null {
      try {
        return existsSync(certificate) ? split(readFileSync(certificate, "utf8")) : null
      } catch {
        return null
      }
    },
    write: (key: string, chain: string) => write(certificate, `${key}${chain}`),
    async accountKey(): Promise<CryptoKeyPair> {
      if (existsSync(account)) return keyPair(readFileSync(account, "utf8"))
      const made = await newKey()
      // Before it is used: an account whose key is lost cannot be found again.
      write(account, await pemOf(made))
      return made
    },
  }
}

export type CertificateFiles = ReturnType<typeof certificateFiles>

/** The certificate that a server with these settings serves with at first; null where it has none yet. */
export function certificateInForce({ data, tlsCert, tlsKey }: Pick<Config, "data" | "tlsCert" | "tlsKey">) {
  if (tlsCert === null || tlsKey === null) return certificateFiles(data).read()
  return readOwnFiles(tlsCert, tlsKey)
}

/** A new P-256 key, which can be stored. */
export const newKey = () => crypto.subtle.generateKey(P256, true, ["sign", "verify"]) as Promise<CryptoKeyPair>

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const

export async function pemOf({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey("pkcs8", privateKey)).toString("base64")
  return `-----BEGIN PRIVATE KEY-----\n${bytes}\n-----END PRIVATE KEY-----\n`
}

async function keyPair(pem: string): Promise<CryptoKeyPair> {
  const jwk = createPrivateKey(pem).export({ format: "jwk" }) as JsonWebKey
  const { d: _, ...open } = jwk
  const imported = (key: JsonWebKey, use: KeyUsage) =>
    crypto.subtle.importKey("jwk", key, P256, true, [use]) as Promise<CryptoKey>
  return { privateKey: await imported(jwk, "sign"), publicKey: await imported(open, "verify") }
}

function split(text: string): ServedCertificate {
  const parts = [...text.matchAll(PEM)]
  const of = (isKey: boolean) => parts.filter(([, kind]) => kind?.includes("KEY") === isKey).map(([part]) => part)
  return readCertificate(of(false).join(""), of(true).join(""))
}
