import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import type { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib"
import type { Compression } from "../../../domain/operations/backup.ts"
import { newFileStream } from "../../../files/new-file.ts"

const COMPRESSORS: Readonly<Record<Exclude<Compression, "none">, { pack: () => Transform; unpack: () => Transform }>> =
  {
    gzip: { pack: () => createGzip(), unpack: () => createGunzip() },
    zstd: { pack: () => createZstdCompress(), unpack: () => createZstdDecompress() },
  }
const MAGIC: readonly (readonly [string, Compression])[] = [
  ["1f8b", "gzip"],
  ["28b52ffd", "zstd"],
]

/** Detected from the first bytes, because a file may have any name. */
export async function compressionOf(file: string): Promise<Compression> {
  const start = new Uint8Array(await Bun.file(file).slice(0, 4).arrayBuffer()).toHex()
  return MAGIC.find(([bytes]) => start.startsWith(bytes))?.[1] ?? "none"
}

/** Compresses a file, then decompresses the result and compares. */
export async function pack(from: string, to: string, compression: Exclude<Compression, "none">): Promise<void> {
  await pipeline(createReadStream(from), COMPRESSORS[compression].pack(), newFileStream(to, 0o600))
  const [original, unpacked] = [await hashOf(from), await hashOf(to, COMPRESSORS[compression].unpack())]
  if (original !== unpacked) throw new Error("the compressed copy differs from the original when decompressed")
}

/** Copies a file, decompressed if it is compressed. */
export async function unpack(from: string, to: string): Promise<void> {
  const compression = await compressionOf(from)
  const target = newFileStream(to, 0o600)
  if (compression === "none") await pipeline(createReadStream(from), target)
  else await pipeline(createReadStream(from), COMPRESSORS[compression].unpack(), target)
}

async function hashOf(file: string, ...through: Transform[]): Promise<string> {
  const hash = createHash("sha256")
  await pipeline([createReadStream(file), ...through, hash])
  return hash.digest("hex")
}
