import { createPrivateKey, X509Certificate } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { CertificateFacts } from "../../domain/operations/https.ts"
import { makePrivateFolder, replaceFile } from "../../files.ts"

/** A certificate with its chain and its key, as PEM. */
export interface Certificate extends CertificateFacts {
  readonly cert: string
  readonly key: string
}

/** Reads a certificate. Throws, in words, unless it belongs to the key. */
function readCertificate(cert: string, key: string): Certificate {
  const first = readPem("The certificate", () => new X509Certificate(cert))
  const privateKey = readPem("The key of the certificate", () => createPrivateKey(key))
  if (!first.checkPrivateKey(privateKey)) throw new Error("The key doesn't belong to the certificate.")
  const names = (first.subjectAltName ?? "").split(", ").map((name) => name.replace(/^DNS:/, ""))
  const issuer = /(?:^|\n)(?:O|CN)=(.+)/.exec(first.issuer)?.[1] ?? "an unknown authority"
  return { cert, key, issuer, names, validFrom: momentOf(first.validFrom), validUntil: momentOf(first.validTo) }
}

/** The runtime only names the routine that failed, so the message says what to fix. */
function readPem<Result>(what: string, read: () => Result): Result {
  try {
    return read()
  } catch {
    throw new Error(`${what} can't be read: it isn't in PEM form, or it's cut off.`)
  }
}

const momentOf = (text: string): number => Date.parse(text) * 1_000

/** The operator's own files, read again when they change. */
export function ownFiles(certFile: string, keyFile: string) {
  let readAt: number | null = null
  let certificate: Certificate | null = null
  return {
    /** Throws in words if the files can't be used. */
    read(): Certificate {
      const changedAt = Math.max(changeOf(certFile), changeOf(keyFile))
      if (certificate === null || changedAt !== readAt) {
        certificate = readCertificate(readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8"))
      }
      readAt = changedAt
      return certificate
    },
  }
}

function changeOf(file: string): number {
  try {
    return statSync(file).mtimeMs
  } catch {
    throw new Error(`The file ${file} can't be read.`)
  }
}

export type OwnFiles = ReturnType<typeof ownFiles>

/** Certificate, key and account of a server that gets its certificate itself. They're in the data directory. */
export function certificateStore(data: string) {
  const folder = join(data, "https")
  // Key and chain are in one file, because a crash between writing two files would leave a pair that doesn't match.
  const certificateFile = join(folder, "certificate.pem")
  const accountFile = join(folder, "account.pem")

  function write(path: string, text: string): void {
    makePrivateFolder(folder)
    replaceFile(path, text)
  }

  return {
    /** Null if there is none, or none that can be used. */
    read(): Certificate | null {
      try {
        return existsSync(certificateFile) ? splitPem(readFileSync(certificateFile, "utf8")) : null
      } catch {
        return null
      }
    },
    write: async (key: CryptoKeyPair, chain: string) => write(certificateFile, `${await pemOf(key)}${chain}`),
    /** The key of the account at the authority. */
    async accountKey(): Promise<CryptoKeyPair> {
      if (existsSync(accountFile)) return keyPairIn(readFileSync(accountFile, "utf8"))
      const key = await newKey()
      // Store it before first use: if the account key is lost, the account can't be recovered.
      write(accountFile, await pemOf(key))
      return key
    },
  }
}

export type CertificateStore = ReturnType<typeof certificateStore>

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const

export const newKey = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(P256, true, ["sign", "verify"])

async function pemOf({ privateKey }: CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey("pkcs8", privateKey)).toString("base64")
  return `-----BEGIN PRIVATE KEY-----\n${bytes}\n-----END PRIVATE KEY-----\n`
}

async function keyPairIn(pem: string): Promise<CryptoKeyPair> {
  const jwk = createPrivateKey(pem).export({ format: "jwk" }) as JsonWebKey
  const { d: _, ...open } = jwk
  const privateKey = await crypto.subtle.importKey("jwk", jwk, P256, true, ["sign"])
  return { privateKey, publicKey: await crypto.subtle.importKey("jwk", open, P256, true, ["verify"]) }
}

const PEM = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----\n?/g

function splitPem(text: string): Certificate {
  const parts = [...text.matchAll(PEM)]
  const join = (isKey: boolean) =>
    parts
      .filter(([, kind]) => kind?.includes("KEY") === isKey)
      .map(([part]) => part)
      .join("")
  return readCertificate(join(false), join(true))
}

// A certificate signing request (PKCS #10) for a P-256 key and some domains, in DER. It has this one shape.

const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const SEQUENCE = 0x30
const SET = 0x31
const DNS_NAME = 0x82
const ATTRIBUTES = 0xa0

const EXTENSION_REQUEST = objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e)
const SUBJECT_ALT_NAME = objectId(0x55, 0x1d, 0x11)
const ECDSA_WITH_SHA256 = objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)

/** The request in base64url, as RFC 8555 sends it. */
export async function certificateRequest(domains: readonly string[], key: CryptoKeyPair): Promise<string> {
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("spki", key.publicKey))
  const names = der(SEQUENCE, ...domains.map((domain) => der(DNS_NAME, Buffer.from(domain))))
  const extensions = der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, names)))
  const attributes = der(ATTRIBUTES, der(SEQUENCE, EXTENSION_REQUEST, der(SET, extensions)))
  // Version 0, and no subject: only the domains count.
  const info = der(SEQUENCE, der(INTEGER, Uint8Array.of(0)), der(SEQUENCE), publicKey, attributes)
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key.privateKey, new Uint8Array(info))
  const bits = Uint8Array.of(0, ...derSignature(new Uint8Array(signature)))
  return der(SEQUENCE, info, der(SEQUENCE, ECDSA_WITH_SHA256), der(BIT_STRING, bits)).toString("base64url")
}

/** WebCrypto puts the two numbers side by side. DER wants two integers. */
function derSignature(raw: Uint8Array): Buffer {
  const half = raw.length / 2
  return der(SEQUENCE, integer(raw.subarray(0, half)), integer(raw.subarray(half)))
}

function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(start < 0 ? bytes.length - 1 : start)
  // A leading one bit would make it negative.
  return der(INTEGER, (digits[0] ?? 0) > 0x7f ? Uint8Array.of(0, ...digits) : digits)
}

function objectId(...bytes: readonly number[]): Buffer {
  return der(OBJECT_ID, Uint8Array.from(bytes))
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, ...lengthBytes(content.length)), content])
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}
