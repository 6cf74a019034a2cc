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
