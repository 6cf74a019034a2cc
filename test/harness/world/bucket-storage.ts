import { createHmac, hash } from "node:crypto"
import type { BucketSettings } from "../../../src/domain/operations/backup.ts"

export interface BucketStorage extends AsyncDisposable {
  readonly bucket: BucketSettings
}

/** A bucket at this port of this machine, with the key that the test server knows. */
export const bucketAt = (port: number): BucketSettings => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: null,
  bucket: "copies",
  prefix: "adbooth/",
  keyId: "test-id",
  secret: "test-secret",
  keep: 2,
})

/** A bucket in memory, behind the requests of S3 that we use. It checks signatures. */
export async function startBucketStorage(): Promise<BucketStorage> {
  const objects = new Map<string, Uint8Array>()
  const parts = new Map<string, Uint8Array>()
  const storage = startOddStorage(async (request) => {
    const refusal = refusalOf(request)
    if (refusal !== null) return refusal
    const { pathname, searchParams } = new URL(request.url)
    const key = decodeURIComponent(pathname.slice("/copies/".length))
    const upload = searchParams.get("uploadId")
    switch (request.method) {
      case "GET":
        return key === "" ? listOf(objects, searchParams.get("prefix") ?? "") : objectAt(objects, key)
      case "PUT":
        if (upload === null) objects.set(key, await request.bytes())
        else parts.set(`${upload} ${searchParams.get("partNumber")}`, await request.bytes())
        return new Response(null, { headers: { ETag: '"1"' } })
      case "POST": {
        if (upload === null) return new Response(`<UploadId>${crypto.randomUUID()}</UploadId>`)
        const numbers = [...(await request.text()).matchAll(/<PartNumber>(\d+)/g)].map(([, number]) => number)
        objects.set(key, Buffer.concat(numbers.map((number) => parts.get(`${upload} ${number}`) ?? new Uint8Array())))
        return new Response()
      }
      default:
        objects.delete(key)
        return new Response(null, { status: 204 })
    }
  })
  return { bucket: storage.bucket, [Symbol.asyncDispose]: async () => storage[Symbol.dispose]() }
}

function listOf(objects: ReadonlyMap<string, Uint8Array>, prefix: string): Response {
  const entries = [...objects].filter(([key]) => key.startsWith(prefix))
  const contents = entries.map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`)
  return new Response(`<ListBucketResult>${contents.join("")}</ListBucketResult>`)
}

function objectAt(objects: ReadonlyMap<string, Uint8Array>, key: string): Response {
  const content = objects.get(key)
  return content === undefined ? s3Error(404, "NoSuchKey") : new Response(content.slice())
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), ?SignedHeaders=([\w;-]+), ?Signature=(\w+)$/

/** What is wrong with the bucket, the key or the signature (AWS Signature Version 4). Null if nothing is. */
function refusalOf({ method, url, headers }: Request): Response | null {
  const { pathname, searchParams } = new URL(url)
  if (!pathname.startsWith("/copies/")) return s3Error(404, "NoSuchBucket")
  const [, keyId, scope = "", signed = "", signature] = AUTHORIZATION.exec(headers.get("authorization") ?? "") ?? []
  if (keyId !== "test-id") return s3Error(403, "InvalidAccessKeyId")
  const pairs = [...searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const lines = signed.split(";").map((name) => `${name}:${headers.get(name)?.trim()}\n`)
  const content = headers.get("x-amz-content-sha256")
  const request = [method, pathname, pairs.sort().join("&"), lines.join(""), signed, content].join("\n")
  const text = ["AWS4-HMAC-SHA256", headers.get("x-amz-date"), scope, hash("sha256", request)].join("\n")
  const key = scope.split("/").reduce<string | Buffer>((key, part) => hmac(key, part), "AWS4test-secret")
  return hmac(key, text).toString("hex") === signature ? null : s3Error(403, "SignatureDoesNotMatch")
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

export interface OddStorage extends Disposable {
  readonly bucket: BucketSettings
  /** Method and path of every request. */
  readonly requests: readonly string[]
}

/** A server that answers every request of a bucket as a test wants. */
export function startOddStorage(answer: (request: Request) => Response | Promise<Response>): OddStorage {
  const requests: string[] = []
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      requests.push(`${request.method} ${new URL(request.url).pathname}`)
      return answer(request)
    },
  })
  return { bucket: bucketAt(server.port ?? 0), requests, [Symbol.dispose]: () => void server.stop(true) }
}

/** An error as S3 services write it. */
export const s3Error = (status: number, code: string, message = "Refused."): Response =>
  new Response(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`, { status })
