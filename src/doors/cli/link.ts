import type { Config } from "../../config.ts"
import type { StoreReads } from "../../storage/port/store.ts"

/** The full URL of a path: at the public URL if set, else where the server last listened. */
export async function linkTo<Path extends string | null>(store: StoreReads, config: Config, path: Path): Promise<Path> {
  if (path === null) return path
  const base = config.publicUrl ?? (await store.settings.get("address")) ?? `http://127.0.0.1:${config.port}`
  return `${base}${path}` as Path
}
