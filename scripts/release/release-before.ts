import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The Debian package of the release before: a file, or made from a commit; the last tag unless named. Null where there is none. */
export async function debBefore(named: string | undefined): Promise<Uint8Array | null> {
  if (named?.endsWith(".deb")) return Bun.file(named).bytes()
  const commit = named ?? lastTag()
  return commit === null ? null : made(commit)
}

function lastTag(): string | null {
  const { success, stdout } = Bun.spawnSync(["git", "describe", "--tags", "--abbrev=0", "HEAD^"], { stderr: "ignore" })
  return success ? stdout.toString().trim() : null
}

async function made(commit: string): Promise<Uint8Array> {
  const clone = mkdtempSync(join(tmpdir(), "adbooth-before-"))
  const run = (words: readonly string[], cwd = clone) => {
    const done = Bun.spawnSync([...words], { cwd, stdio: ["ignore", 2, "inherit"] })
    if (!done.success) throw new Error(`${words.join(" ")} failed, at ${commit}`)
  }
  try {
    run(["git", "worktree", "add", "--detach", clone, commit], ".")
    run([process.execPath, "install", "--frozen-lockfile"])
    run([process.execPath, "scripts/release.ts", "--dry-run", "--target", `linux-${process.arch}`, "--without-image"])
    const [file = ""] = new Bun.Glob("dist/release/*.deb").scanSync(clone)
    return await Bun.file(join(clone, file)).bytes()
  } finally {
    rmSync(clone, { recursive: true, force: true })
    Bun.spawnSync(["git", "worktree", "prune"])
  }
}
