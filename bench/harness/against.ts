import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Program } from "./product.ts"

const ROOT = resolve(import.meta.dir, "../..")
const LOCK = "bun.lock"

/** The program of this checkout, from source. */
export const programHere: Program = [process.execPath, join(ROOT, "src/main.ts")]

/** The program of another commit, from source, in a worktree that goes when it's disposed of. */
export function programOf(commit: string): Disposable & { readonly program: Program } {
  const folder = mkdtempSync(join(tmpdir(), "adbooth-against-"))
  const tree = join(folder, "tree")
  run(["git", "worktree", "add", "--detach", tree, commit], ROOT)
  addPackages(tree)
  return {
    program: [process.execPath, join(tree, "src/main.ts")],
    [Symbol.dispose]() {
      run(["git", "worktree", "remove", "--force", tree], ROOT)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Most commits need the packages that are here already. */
function addPackages(tree: string): void {
  const isSame = readFileSync(join(tree, LOCK), "utf8") === readFileSync(join(ROOT, LOCK), "utf8")
  if (isSame) symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"))
  else run([process.execPath, "install", "--frozen-lockfile"], tree)
}

function run(command: string[], cwd: string): void {
  const { success, stderr } = Bun.spawnSync(command, { cwd, stdout: "ignore" })
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`)
}
