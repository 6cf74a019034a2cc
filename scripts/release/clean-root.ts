import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const NAMESPACES = ["--mount", "--pid", "--ipc", "--uts", "--cgroup", "--fork", "--kill-child"]

export interface CleanRoot {
  /** The file system to begin with, which stays as it is. */
  readonly lower: string
  readonly script: string
  /** What the script finds in /given. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>
}

/** Starts a shell script as root in a file system of its own. When the process ends, all that it started ends too. */
export function startInRoot({ lower, script, files = {} }: CleanRoot) {
  const folder = mkdtempSync(join(tmpdir(), "adbooth-root-"))
  const given = mkdtempSync(join(tmpdir(), "adbooth-given-"))
  for (const [name, content] of Object.entries({ ...files, "script.sh": script }))
    writeFileSync(join(given, name), content)
  const enter = resolve(import.meta.dir, "clean-root.sh")
  const child = Bun.spawn(["unshare", ...NAMESPACES, "sh", enter, lower, folder, given], {
    stdio: ["ignore", "pipe", "pipe"],
    onExit() {
      for (const path of [folder, given]) rmSync(path, { recursive: true, force: true })
    },
  })
  return child
}
