import { readFileSync } from "node:fs"

const PAGE_BYTES = 4_096
const MEBIBYTE = 1_048_576

/** Resident memory of a process, in MiB. */
export function residentMib(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1])
  return (pages * PAGE_BYTES) / MEBIBYTE
}

/** Looks at the resident memory of a process every so often until it is stopped. */
export function watchMemory(pid: number, everyMs: number): { stop(): number[] } {
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentMib(pid)), everyMs)
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** The part of a series that is this quarter of it, from 0 to 3. */
export function quarterOf(values: readonly number[], quarter: number): readonly number[] {
  return values.slice(Math.floor((values.length * quarter) / 4), Math.floor((values.length * (quarter + 1)) / 4))
}
