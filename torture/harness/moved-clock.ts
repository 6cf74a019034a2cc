import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Glob } from "bun"
import type { Skipped } from "./part.ts"

export interface MovedClock {
  /** Of a process whose clock it moves. */
  readonly env: Readonly<Record<string, string>>
  /** Sets it so far from the right time: "-3h", "+400h". */
  jump(offset: string): void
}

/** The clock of single processes, which can be set while they run. */
export function movedClock(folder: string): MovedClock | Skipped {
  const library = [...new Glob("usr/lib/*/faketime/libfaketimeMT.so.1").scanSync("/")][0]
  if (library === undefined) return { skipped: "Moving the clock of one process needs libfaketime (Debian: faketime)." }
  const file = join(folder, "clock")
  const jump = (offset: string) => writeFileSync(file, offset)
  jump("+0h")
  return {
    jump,
    env: {
      LD_PRELOAD: `/${library}`,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      DONT_FAKE_MONOTONIC: "1",
    },
  }
}
