import { createHash } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { setPriority } from "node:os"
import { join, resolve } from "node:path"
import type { BackupService, BucketService } from "../actions/context.ts"
import type { Config } from "../config.ts"
import { type ServiceProblem, UserError } from "../domain/errors.ts"
import {
  type BucketSettings,
  bucketAdvice,
  bucketInWords,
  isBackupName,
  type StoredCopy,
  signedHeaders,
} from "../domain/operations/backup.ts"
import { makePrivateFolder } from "../files.ts"

const PRIORITY_LOW = 10

/** The compiled program contains its own script. From source, Bun needs the path of it. */
const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN")
const PROGRAM = isCompiled ? [process.execPath] : [process.execPath, Bun.main]

/** The folder of scheduled backups. A separate process makes each backup, so that requests don't wait. */
export function backupFolder({ data, databaseUrl, backupDir }: Config): BackupService {
  const folder = resolve(backupDir ?? join(data, "backups"))
  return {
    folder,
    async create(name) {
      makePrivateFolder(folder)
      const child = Bun.spawn([...PROGRAM, "backup", "create", join(folder, name), "--data", data, "--json"], {
        stdio: ["ignore", "pipe", "pipe"],
        // Every user of the machine could read a password in an argument.
        env: { ...process.env, ADBOOTH_DATABASE_URL: databaseUrl ?? undefined, ADBOOTH_DATABASE_URL_FILE: undefined },
      })
      setPriority(child.pid, PRIORITY_LOW)
      const [output, complaint] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ])
      if ((await child.exited) !== 0) throw new Error(complaint.trim() || "The backup failed without a message.")
      const { bytes } = JSON.parse(output) as { readonly bytes: number }
      return { name, bytes }
    },
    async list() {
      const names = (await readdir(folder).catch(() => [])).filter(isBackupName).sort()
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

// Requests to an S3-compatible service, signed with AWS Signature Version 4. Bun's own client follows redirects to other hosts, and
// would send a backup there.

const REGION_DEFAULT = "us-east-1"
const TIMEOUT_MS = 300_000

interface S3Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE"
  /** The name of the object. Empty for the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/** Something went wrong with a bucket. The message is for people. */
class BucketError extends UserError implements ServiceProblem {
  readonly problem: string
  readonly advice: string

  constructor(code: string, problem: string) {
    super(`${problem} ${bucketAdvice(code)}`)
    this.problem = problem
    this.advice = bucketAdvice(code)
  }
}

/** Sends a signed request. Throws a `BucketError` for every answer that isn't a success. */
async function askS3(bucket: BucketSettings, { method, key, query, body }: S3Request): Promise<Response> {
  const url = urlOf(bucket, key, query)
  const signer = { ...bucket, region: bucket.region ?? REGION_DEFAULT }
  const headers = signedHeaders(signer, { method, url, body: body ?? new Uint8Array() }, new Date())
  const init = {
    method,
    headers,
    body: body ?? null,
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const
  const answer = await fetch(url, init).catch(unreachable)
  if (answer instanceof Response && answer.ok) return answer
  const [code, words] = answer instanceof Response ? await failureIn(answer) : answer
  throw new BucketError(code, `The bucket ${bucketInWords(bucket)} can't be used: ${words}.`)
}

function urlOf({ endpoint, bucket, region }: BucketSettings, key: string, query: S3Request["query"] = {}): URL {
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

/** The code of an error, which decides about the advice, and what happened in words. */
type Failure = readonly [code: string, words: string]

function unreachable(cause: unknown): Failure {
  const { code = "", message = "" } = cause as { code?: string; message?: string }
  const known = ON_THE_WAY.find(([pattern]) => pattern.test(`${code} ${message}`))
  return ["Unreachable", known?.[1] ?? message]
}

async function failureIn(response: Response): Promise<Failure> {
  const text = await response.text()
  const { status } = response
  const code = /<Code>([\w.]+)<\/Code>/.exec(text)?.[1]
  if (code !== undefined) return [code, `${code}: ${/<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? status}`]
  if (status >= 300 && status < 400) return ["Redirect", "it redirects to another address"]
  return ["InvalidResponse", `what answers at this URL isn't S3-compatible storage (status ${status})`]
}

const PART_BYTES = 8 * 1_048_576

/** Works with the copies in a bucket. Files of any size pass through memory in parts. */
export function openBucket(bucket: BucketSettings): BucketService {
  const keyOf = (name: string) => bucket.prefix + name

  async function remove(name: string): Promise<void> {
    await askS3(bucket, { method: "DELETE", key: keyOf(name) })
  }

  async function* read(name: string): AsyncGenerator<Uint8Array> {
    const response = await askS3(bucket, { method: "GET", key: keyOf(name) })
    yield* response.body ?? []
  }

  return {
    async test() {
      const name = `adbooth-test-${crypto.randomUUID()}`
      try {
        await askS3(bucket, { method: "PUT", key: keyOf(name), body: new TextEncoder().encode(name) })
        const back = await askS3(bucket, { method: "GET", key: keyOf(name) })
        await remove(name)
        if ((await back.text()) === name) return null
        return new BucketError("NotEqual", "The copy that was read back differs from the file.")
      } catch (cause) {
        if (cause instanceof BucketError) return cause
        throw cause
      }
    },
    list: () => listAll(bucket),
    async copy(file, name) {
      const { digest, bytes } = await upload(bucket, file, keyOf(name))
      if ((await digestOf(read(name))) === digest) return { name, bytes }
      await remove(name)
      throw new BucketError("NotEqual", `${name} wasn't stored as it was sent.`)
    },
    read,
    remove,
  }
}

/** Uploads a file, and returns its digest. */
async function upload(bucket: BucketSettings, file: string, key: string) {
  const source = Bun.file(file)
  const hasher = createHash("sha256")
  if (source.size <= PART_BYTES) {
    const body = await source.bytes()
    await askS3(bucket, { method: "PUT", key, body })
    return { digest: hasher.update(body).digest("hex"), bytes: body.length }
  }
  const begun = await askS3(bucket, { method: "POST", key, query: { uploads: "" } })
  const uploadId = unescapeXml(/<UploadId>([^<]+)/.exec(await begun.text())?.[1] ?? "")
  try {
    const parts: string[] = []
    for (let from = 0; from < source.size; from += PART_BYTES) {
      const body = await source.slice(from, from + PART_BYTES).bytes()
      hasher.update(body)
      const number = parts.length + 1
      const query = { partNumber: String(number), uploadId }
      const { headers } = await askS3(bucket, { method: "PUT", key, query, body })
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`)
    }
    const list = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
    await askS3(bucket, { method: "POST", key, query: { uploadId }, body: new TextEncoder().encode(list) })
  } catch (cause) {
    // Incomplete uploads would cost money forever.
    await askS3(bucket, { method: "DELETE", key, query: { uploadId } }).catch(() => undefined)
    throw cause
  }
  return { digest: hasher.digest("hex"), bytes: source.size }
}

async function listAll(bucket: BucketSettings): Promise<StoredCopy[]> {
  const copies: StoredCopy[] = []
  for (let token: string | undefined; ; ) {
    const query = {
      "list-type": "2",
      prefix: bucket.prefix,
      ...(token !== undefined && { "continuation-token": token }),
    }
    const text = await (await askS3(bucket, { method: "GET", key: "", query })).text()
    for (const [, entry = ""] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
      const name = unescapeXml(/<Key>([^<]*)/.exec(entry)?.[1] ?? "").slice(bucket.prefix.length)
      copies.push({ name, bytes: Number(/<Size>(\d+)/.exec(entry)?.[1] ?? 0) })
    }
    token = /<NextContinuationToken>([^<]+)/.exec(text)?.[1]
    if (token === undefined) return copies.sort((a, b) => (a.name < b.name ? -1 : 1))
    token = unescapeXml(token)
  }
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = createHash("sha256")
  for await (const chunk of chunks) hasher.update(chunk)
  return hasher.digest("hex")
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? "")
