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
