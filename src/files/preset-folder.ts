import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { withOwn } from "../domain/presets/built-in.ts"
import { type Preset, readPreset } from "../domain/presets/preset.ts"
import { messageOf } from "../domain/user-error.ts"

type PresetPlace = Readonly<{ data: string }>

/** The built-in presets and those in a folder, one JSON file each, and a sentence for each file that cannot be used. The folder may be missing. */
export function knownPresets(config: PresetPlace) {
  const folder = join(config.data, "presets")
  const presets: Preset[] = []
  const problems: string[] = []
  for (const name of namesIn(folder, problems)) {
    const read = presetIn(join(folder, name))
    if ("preset" in read) presets.push(read.preset)
    else problems.push(`${join(folder, name)} cannot be used. ${read.problems.join(" ")}`)
  }
  return { presets: withOwn(presets), problems }
}

/** The same, read anew each time: an operator adds one without a restart. `tell` hears of each problem once. */
export function presetReader(config: PresetPlace, tell: (problem: string) => void): () => readonly Preset[] {
  const told = new Set<string>()
  return () => {
    const { presets, problems } = knownPresets(config)
    for (const problem of new Set(problems).difference(told)) {
      told.add(problem)
      tell(problem)
    }
    return presets
  }
}

function namesIn(folder: string, problems: string[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT")
      problems.push(`The folder ${folder} cannot be read: ${messageOf(cause)}.`)
    return []
  }
}

function presetIn(path: string): ReturnType<typeof readPreset> {
  try {
    return readPreset(JSON.parse(readFileSync(path, "utf8")))
  } catch (cause) {
    return { problems: [`It is not JSON: ${messageOf(cause)}.`] }
  }
}
