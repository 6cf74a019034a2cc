import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Cut, Recording } from "./recording.ts"

/** What replay.ts reads. */
export interface Kept {
  readonly root: string
  readonly cut: Cut
  readonly inodes: readonly (readonly [path: string, inode: number])[]
}

/** Keeps the recording of a cut that went wrong. How to see it again. */
export function keepForReplay({ journal, base, inodes, end }: Recording, cut: Cut, folder: string): string {
  const kept = join(tmpdir(), `adbooth-power-cut-${cut.seed}`)
  if (!existsSync(kept)) {
    mkdirSync(kept, { mode: 0o700 })
    cpSync(base, join(kept, "base"), { recursive: true })
    writeFileSync(join(kept, "journal"), journal.subarray(0, end))
    const replay: Kept = { root: join(folder, "disk"), cut, inodes: [...inodes] }
    writeFileSync(join(kept, "cut.json"), JSON.stringify(replay))
  }
  return `seed ${cut.seed} at ${cut.position} (bun torture/disk/replay.ts ${kept})`
}
