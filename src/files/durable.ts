import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs"

const CHUNK_BYTES = 1_048_576

/**
 * Writes every byte of a file again, where it stands, and syncs it. After a sync failed, the kernel may count pages as written that are
 * not on disk: it would not write them again by itself, and reading them proves nothing.
 */
export function writeAgain(path: string): void {
  const descriptor = openSync(path, "r+")
  try {
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, at)
      if (bytes === 0) break
      for (let done = 0; done < bytes; ) done += writeSync(descriptor, chunk, done, bytes - done, at + done)
      at += bytes
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
