import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Preset, readPreset } from "../domain/presets/preset.ts"
import { messageOf } from "../domain/user-error.ts"

/** The presets in a folder, one JSON file each, and a sentence for each file that cannot be used. A folder that does not exist has none. */
export function presetsIn(folder: string) {
  const presets: Preset[] = []
  const problems: string[] = []
  for (const name of namesIn(folder, problems)) {
    const read = presetIn(join(folder, name))
    if ("preset" in read) presets.push(read.preset)
    else problems.push(`${join(folder, name)} cannot be used. ${read.problems.join(" ")}`)
  }
  return { presets, problems }
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
