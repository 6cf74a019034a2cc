import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderBeside, settleAs } from "./new-file.ts"

/** Writes a small file so that readers, and a crash, see either all of it or what was there before. */
export function replaceFile(path: string, text: string): void {
  using folder = folderBeside(path)
  const partial = join(folder.path, "file")
  writeFileSync(partial, text, { flag: "wx", mode: 0o666 })
  settleAs(partial, path, null)
}
