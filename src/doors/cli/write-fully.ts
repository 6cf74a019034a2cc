import { closeSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { messageOf, UserError } from "../../domain/user-error.ts"
import { folderBeside, openNewFile, renameWhenOnDisk, replaceable } from "../../files/new-file.ts"
import { ReaderGone } from "./io.ts"

// The longest pause before writing to a full pipe again; pauses double while nothing is written.
const PAUSE_MS_MAX = 32
const TRY_AGAIN = ["EAGAIN", "EWOULDBLOCK", "EINTR"]

/**
 * Writes every byte before it returns. Another process can make a shared pipe non-blocking, so that a write takes only a part, or
 * nothing. Throws ReaderGone when the reader is gone, and a UserError when the rest cannot be written.
 */
export function writeFully(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  let written = 0
  let pause = 1
  while (written < bytes.length) {
    const count = writeSome(descriptor, bytes, written)
    written += count
    if (count > 0) pause = 1
    else {
      Bun.sleepSync(pause)
      pause = Math.min(pause * 2, PAUSE_MS_MAX)
    }
  }
}

function writeSome(descriptor: number, bytes: Uint8Array, start: number): number {
  try {
    return writeSync(descriptor, bytes, start)
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (TRY_AGAIN.includes(code)) return 0
    if (code === "EPIPE") throw new ReaderGone("the reader of the output is gone", { cause })
    throw new UserError(`The output could not be written: ${inWords(code, cause)}. What was written is incomplete.`, {
      cause,
    })
  }
}

function inWords(code: string, cause: unknown): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "no space is left"
  return messageOf(cause)
}

// Octal, as the kernel prints flags: 2000000 is O_CLOEXEC on every processor that we build for.
const CLOSES_ON_EXEC = /^flags:\s*[0-7]*[2367][0-7]{6}$/m

/**
 * Whether the program was started with this descriptor closed, as by `>&-`. The runtime then opens /dev/null in its place, with
 * O_CLOEXEC, which an inherited descriptor never has. Only Linux can tell; elsewhere the answer is false.
 */
export function wasClosed(descriptor: number): boolean {
  try {
    return CLOSES_ON_EXEC.test(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))
  } catch {
    return false
  }
}

/** A file that gets its name, and replaces an earlier one, with `keep`; without it an earlier one stays. */
export function fileInProgress(path: string, mode: number) {
  const replaced = replaceable(path)
  using opened = new DisposableStack()
  const partial = join(opened.use(folderBeside(path)).path, "partial")
  const descriptor = openNewFile(partial, mode)
  opened.defer(() => closeSync(descriptor))
  const close = opened.move()
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    write(text: string): void {
      const content = Buffer.from(text)
      bytes += content.length
      writeFully(descriptor, content)
    },
    keep: () => renameWhenOnDisk(partial, path, replaced),
    [Symbol.dispose]: () => close.dispose(),
  }
}

/** Writes a file. Returns its size in bytes. */
export async function saveAs(path: string, mode: number, texts: AsyncIterable<string>): Promise<number> {
  using file = fileInProgress(path, mode)
  for await (const text of texts) file.write(text)
  file.keep()
  return file.bytes
}
