import { readFileSync } from "node:fs"

// Linux counts processor time in hundredths of a second for programs.
const TICKS_PER_SECOND = 100

/** The seconds that all threads of a process have worked, and those of its children that have ended. Zero if it has ended. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the program's name, which may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** The same with all children that run now. */
export function processorSecondsOfFamily(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), processorSeconds(pid))
}

export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kib) / 1_024
}
