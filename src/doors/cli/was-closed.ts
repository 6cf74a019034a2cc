import { readFileSync } from "node:fs"

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
