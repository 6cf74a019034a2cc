import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { join } from "node:path"

// Of the flags in /proc/PID/fdinfo: opened for writing, or for reading and writing.
const WRITING = 0o3

/** Whether a process has the file open for writing, as far as this system lets us see it: Linux, and mostly processes of the same user. */
export function isOpenForWriting(path: string): boolean {
  try {
    const target = realpathSync(path)
    return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && hasOpen(join("/proc", pid), target))
  } catch {
    return false
  }
}

function hasOpen(process: string, target: string): boolean {
  try {
    return readdirSync(join(process, "fd")).some((descriptor) => {
      if (readlinkSync(join(process, "fd", descriptor)) !== target) return false
      const [, flags = "0"] = /^flags:\s*(\d+)/m.exec(readFileSync(join(process, "fdinfo", descriptor), "utf8")) ?? []
      return (Number.parseInt(flags, 8) & WRITING) !== 0
    })
  } catch {
    // The process has ended, or belongs to somebody else.
    return false
  }
}
