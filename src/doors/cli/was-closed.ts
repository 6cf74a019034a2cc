import { readFileSync } from "node:fs"

// Octal, as the kernel shows flags: 2000000 is "close on exec", on every processor that we build for.
const CLOSES_ON_EXEC = /^flags:\s*[0-7]*[2367][0-7]{6}$/m

/**
 * Whether we were started with this descriptor closed, as by `>&-`. The runtime then puts /dev/null in its place, where everything that is
 * written seems to arrive. What we were given ourselves, a `>/dev/null` too, never closes on exec, or we would not have it; what the runtime
 * opens does. Only Linux lets us look; elsewhere nobody can tell.
 */
export function wasClosed(descriptor: number): boolean {
  try {
    return CLOSES_ON_EXEC.test(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))
  } catch {
    return false
  }
}
