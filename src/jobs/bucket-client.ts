import { openAsBlob } from "node:fs"
import { type Bucket, BucketProblem, bucketProblem, type StoredCopy } from "../domain/operations/bucket.ts"
import { codeOf } from "../domain/user-error.ts"

const PART_BYTES = 8 * 1_048_576
const QUEUE_PARTS = 2
const RETRIES = 3
const LISTED_AT_ONCE = 1_000

/** Works with the copies in a bucket. Files of any size pass through a few parts of memory. */
export function bucketClient(place: Bucket) {
  const { endpoint, region, bucket, prefix, keyId, secret } = place
  const client = new Bun.S3Client({
    bucket,
    accessKeyId: keyId,
    secretAccessKey: secret,
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
  })
  const at = (name: string) => client.file(`${prefix}${name}`)

  async function inWords<Result>(work: Promise<Result>): Promise<Result> {
    return work.catch((cause: unknown) => {
      throw bucketProblem(cause, place)
    })
  }

  async function* contentOf(name: string): AsyncGenerator<Uint8Array> {
    try {
      yield* at(name).stream()
    } catch (cause) {
      throw bucketProblem(cause, place)
    }
  }

  async function upload(name: string, file: string, signal: AbortSignal): Promise<string> {
    const writer = at(name).writer({ partSize: PART_BYTES, queueSize: QUEUE_PARTS, retry: RETRIES })
    try {
      const digest = await digestOf((await openAsBlob(file)).stream(), signal, (chunk) => {
        writer.write(chunk)
        return writer.flush()
      })
      await writer.end()
      return digest
    } catch (cause) {
      // What was begun is not left behind half.
      await Promise.resolve(writer.end(cause as Error)).catch(() => undefined)
      throw cause
    }
  }

  const remove = (name: string) => inWords(at(name).delete())

  return {
    /** Copies a file there, reads it back, and throws unless it is equal. */
    async put(name: string, file: string, signal: AbortSignal): Promise<void> {
      const sent = await inWords(upload(name, file, signal))
      const isEqual = async () => (await inWords(digestOf(at(name).stream(), signal))) === sent
      // A difference does not tell which is wrong, the copy or this reading of it: one more, before a copy is removed.
      if ((await isEqual()) || (await isEqual())) return
      await remove(name)
      throw new BucketProblem("Unequal", `${name} was not stored as it was sent.`)
    },
    /** The copies, oldest first. */
    async list(): Promise<StoredCopy[]> {
      const found: StoredCopy[] = []
      for (let after: string | undefined; ; ) {
        const query = { prefix, maxKeys: LISTED_AT_ONCE, ...(after !== undefined && { startAfter: after }) }
        const { contents = [], isTruncated } = await inWords(client.list(query).catch(unlessListed))
        found.push(...contents.map(({ key, size = 0 }) => ({ name: key.slice(prefix.length), bytes: size })))
        after = contents.at(-1)?.key
        if (!isTruncated || after === undefined) return found.sort((a, b) => (a.name < b.name ? -1 : 1))
      }
    },
    remove,
    read: contentOf,
    /** Writes a small file, reads it and deletes it. */
    async test(name: string): Promise<void> {
      await inWords(at(name).write(name))
      const back = await inWords(at(name).text())
      await remove(name)
      if (back !== name) throw new BucketProblem("Unequal", "What was read back is not what was sent.")
    },
  }
}

/** A storage always has a list: where that is missing, something else answers. */
function unlessListed(cause: unknown): never {
  throw codeOf(cause) === "NoSuchKey" ? Object.assign(new Error("no list"), { code: "InvalidResponse" }) : cause
}

/** What the chunks come to, each of which `pass` takes on. */
async function digestOf(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal, pass?: (chunk: Uint8Array) => unknown) {
  const hasher = new Bun.CryptoHasher("sha256")
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    hasher.update(chunk)
    await pass?.(chunk)
  }
  return hasher.digest("hex")
}
