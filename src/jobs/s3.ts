import type { BucketSettings } from "../domain/operations/bucket.ts"
import { signedHeaders } from "../domain/operations/s3-signature.ts"

// Requests to an S3-compatible service, signed with AWS Signature Version 4. Bun's own client follows redirects to other hosts, and
// would send a backup there.

const REGION_DEFAULT = "us-east-1"
const TIMEOUT_MS = 300_000

export interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE"
  /** The name of the object. Empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/** An error from the service, or from the way to it. The code decides which advice is shown. */
export class S3Error extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Sends a signed request. Throws an `S3Error` for every answer that isn't a success. */
export async function askS3(bucket: BucketSettings, request: S3Request, now = new Date()): Promise<Response> {
  const url = urlOf(bucket, request)
  const { method, body = new Uint8Array() } = request
  const headers = signedHeaders({ ...bucket, region: bucket.region ?? REGION_DEFAULT }, { method, url, body }, now)
  const init = { method, headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) } as const
  const sent = await fetch(url, method === "PUT" || method === "POST" ? { ...init, body } : init).catch(unreachable)
  if (sent.ok) return sent
  throw await errorIn(sent)
}

function urlOf({ endpoint, bucket, region }: BucketSettings, { key, query = {} }: S3Request): URL {
  const path = key.split("/").map(encoded).join("/")
  const base =
    endpoint === null
      ? `https://${bucket}.s3.${region ?? REGION_DEFAULT}.amazonaws.com`
      : `${endpoint.replace(/\/+$/, "")}/${bucket}`
  const url = new URL(`${base}/${path}`)
  // Sorted and encoded as the signature wants it. URLSearchParams would write a space as "+".
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  url.search = pairs.sort().join("&")
  return url
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const ON_THE_WAY: readonly (readonly [cause: RegExp, words: string])[] = [
  [/ConnectionRefused|ECONNREFUSED|Unable to connect/i, "nothing answers at this URL"],
  [/DNS|ENOTFOUND|getaddrinfo/i, "this name has no address"],
  [/CERT|TLS|SSL|self.signed/i, "it doesn't support HTTPS, or its certificate isn't valid"],
  [/Timeout|timed out/i, "it takes too long to answer"],
]

function unreachable(cause: unknown): never {
  const { code = "", message = "" } = cause as { code?: string; message?: string }
  const known = ON_THE_WAY.find(([pattern]) => pattern.test(`${code} ${message}`))
  throw new S3Error("Unreachable", known?.[1] ?? message)
}

async function errorIn(response: Response): Promise<S3Error> {
  const text = await response.text()
  const { status } = response
  const code = /<Code>([\w.]+)<\/Code>/.exec(text)?.[1]
  if (code !== undefined)
    return new S3Error(code, `${code}: ${/<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? status}`)
  if (status >= 300 && status < 400) return new S3Error("Redirect", "it redirects to another address")
  return new S3Error("InvalidResponse", `what answers at this URL isn't S3-compatible storage (status ${status})`)
}
