import { join } from "node:path"

const COMPILERS = ["cc", "gcc", "clang"]
const MACHINES = ["x64", "arm64"]

/** Compiles the shim into the folder: its path, or why this machine cannot have one. */
export function buildShim(folder: string): { readonly path: string } | { readonly skipped: string } {
  if (process.platform !== "linux" || !MACHINES.includes(process.arch))
    return { skipped: "The disk is watched through a seccomp filter of Linux on x86-64 or arm64." }
  const compiler = COMPILERS.find((name) => Bun.which(name) !== null)
  if (compiler === undefined) return { skipped: `Watching the disk needs a C compiler (${COMPILERS.join(", ")}).` }
  const path = join(folder, "disk-shim.so")
  const sources = [...new Bun.Glob("*.c").scanSync({ cwd: import.meta.dir, absolute: true })]
  const built = Bun.spawnSync([compiler, "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", path, ...sources])
  if (!built.success) return { skipped: `The C compiler refused: ${built.stderr.toString().slice(0, 500)}` }
  const tried = Bun.spawnSync(["/bin/true"], { env: { LD_PRELOAD: path } })
  if (tried.exitCode !== 0) return { skipped: `The shim cannot be loaded here: ${tried.stderr.toString().trim()}` }
  return { path }
}
