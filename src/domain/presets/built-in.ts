import awin from "./data/awin.json"
import ghost from "./data/ghost.json"
import googleAdManager from "./data/google-ad-manager.json"
import op3 from "./data/op3.json"
import { type Preset, readPreset } from "./preset.ts"

const FILES: readonly unknown[] = [googleAdManager, op3, ghost, awin]

export const BUILT_IN: readonly Preset[] = FILES.map((file) => {
  const read = readPreset(file)
  if ("problems" in read) throw new Error(`a built-in preset is wrong: ${read.problems.join(" ")}`)
  return read.preset
})

/** The built-in presets and an operator's own, which come first and replace those of the same name. */
export function withOwn(own: readonly Preset[]): readonly Preset[] {
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...BUILT_IN.filter(({ name }) => !names.has(name))]
}
