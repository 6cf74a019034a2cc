import { readFileSync } from "node:fs"

// Linux counts processor time in hundredths of a second, whatever the kernel's own clock.
const TICKS_PER_SECOND = 100

/** utime, stime, and the same of the children that have ended and were waited for. */
function ticksOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The second field is the program's name, which may hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields.slice(11, 15).map(Number)
}

/** Processor time of a process; 0 when it has ended meanwhile. */
export function cpuSecondsOf(pid: number): number {
  try {
    const [user = 0, system = 0] = ticksOf(pid)
    return (user + system) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Processor time of a process and of all its children that have ended. */
export function cpuSecondsWithEnded(pid: number): number {
  return ticksOf(pid).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return list.split(" ").filter(Boolean).map(Number)
}
