import { join } from "node:path"
import type { Config } from "../config.ts"
import { withOwn } from "../domain/presets/built-in.ts"
import type { Preset } from "../domain/presets/preset.ts"
import { presetsIn } from "../files/preset-folder.ts"
import type { Log } from "../log/log.ts"

/** The presets of exports, read anew each time: an operator adds one without a restart. A wrong file is logged, once. */
export function knownPresets(config: Pick<Config, "data" | "presets">, log: Log): () => readonly Preset[] {
  const told = new Set<string>()
  return () => {
    const { presets, problems } = presetsIn(config.presets ?? join(config.data, "presets"))
    for (const problem of problems.filter((problem) => !told.has(problem))) {
      told.add(problem)
      log.warn("preset not used", { problem })
    }
    return withOwn(presets)
  }
}
