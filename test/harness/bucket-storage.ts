import S3rver from "s3rver"
import type { BucketSettings } from "../../src/domain/operations/bucket.ts"
import { freePort, temporaryFolder } from "./folder.ts"

export interface BucketStorage extends AsyncDisposable {
  readonly bucket: BucketSettings
}

/** A bucket at this port of this machine, with the key that the test server knows. */
export const bucketAt = (port: number): BucketSettings => ({
  endpoint: `http://127.0.0.1:${port}`,
  region: null,
  bucket: "copies",
  prefix: "adbooth/",
  keyId: "S3RVER",
  secret: "S3RVER",
  keep: 2,
})

/** A real S3 server in this process, with one bucket. It checks signatures. */
export async function startBucketStorage(): Promise<BucketStorage> {
  const folder = temporaryFolder()
  const port = freePort()
  const server = new S3rver({
    address: "127.0.0.1",
    port,
    silent: true,
    directory: folder.path,
    configureBuckets: [{ name: "copies", configs: [] }],
  })
  await server.run()
  return {
    bucket: bucketAt(port),
    async [Symbol.asyncDispose]() {
      await server.close()
      folder[Symbol.dispose]()
    },
  }
}

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
