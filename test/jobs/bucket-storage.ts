import S3rver from "s3rver"
import type { Bucket } from "../../src/domain/operations/bucket.ts"
import { freePort } from "../free-port.ts"
import { temporaryFolder } from "../harness.ts"

export const KEY = { keyId: "S3RVER", secret: "S3RVER" }

/** A real server of the protocol, with one bucket. */
export async function startStorage(): Promise<AsyncDisposable & { readonly bucket: Bucket; readonly port: number }> {
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
    port,
    bucket: {
      endpoint: `http://127.0.0.1:${port}`,
      region: null,
      bucket: "copies",
      prefix: "adbooth/",
      keep: 2,
      ...KEY,
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      folder[Symbol.dispose]()
    },
  }
}

/** A service that takes one part of an upload and refuses the next, as one does whose disk or quota is full. */
export function fullStorage(status: number, code: string): Disposable & { bucket: Bucket; begun(): string[] } {
  const begun = new Set<string>()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      await request.arrayBuffer()
      if (searchParams.has("uploads")) {
        begun.add(pathname)
        return new Response("<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
      }
      if (request.method === "DELETE") return new Response(null, { status: begun.delete(pathname) ? 204 : 404 })
      if (searchParams.get("partNumber") === "1") return new Response(null, { headers: { ETag: '"1"' } })
      return new Response(`<Error><Code>${code}</Code><Message>There is no room left.</Message></Error>`, { status })
    },
  })
  const bucket = { endpoint: server.url.origin, region: null, bucket: "copies", prefix: "adbooth/", keep: 2, ...KEY }
  return { bucket, begun: () => [...begun], [Symbol.dispose]: () => server.stop(true) }
}
