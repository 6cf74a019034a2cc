import { mkdirSync, symlinkSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Finished } from "./binary.ts"
import { temporaryFolder } from "./harness.ts"

// Code blocks of the guides, and how to run one exactly as it stands there.

export interface Snippet {
  /** What follows the language on the block's first line. */
  readonly words: readonly string[]
  readonly text: string
}

/** The blocks of a page in one language. */
export function snippets(page: string, language: string): Snippet[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\\b *(.*)\\n([\\s\\S]*?)^\`\`\`$`, "gm"))
  return [...found].map(([, words = "", text = ""]) => ({ words: words.split(" ").filter(Boolean), text }))
}

export interface SnippetFile {
  readonly name: string
  readonly text: string
  /** Where the packages that it finds beside it stand in `node_modules`, by their names; all of them unless given. */
  readonly packages?: Readonly<Record<string, string>>
  /** Other blocks that it takes from files beside it. */
  readonly beside?: readonly SnippetFile[]
}

/** Runs a block as a file of this name. */
export async function runSnippet(
  command: string,
  { name, text, packages = { "": "" }, beside = [] }: SnippetFile,
  env: Record<string, string>,
): Promise<Finished> {
  using folder = temporaryFolder()
  for (const [packageName, place] of Object.entries(packages)) {
    const link = join(folder.path, "node_modules", packageName)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(resolve("node_modules", place), link)
  }
  for (const file of [{ name, text }, ...beside]) await Bun.write(join(folder.path, file.name), file.text)
  // Into files, because some programs leave before a pipe is empty.
  const [out, err] = [Bun.file(join(folder.path, "out")), Bun.file(join(folder.path, "err"))]
  const child = Bun.spawn([command, name], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path, NO_COLOR: "1", ...env },
    stdout: out,
    stderr: err,
  })
  return { code: await child.exited, out: await out.text(), err: await err.text() }
}
