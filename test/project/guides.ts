import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Glob } from "bun"
import { temporaryFolder } from "../harness/folder.ts"

export const ROOT = resolve(import.meta.dir, "../..")

/** Every page that we write for people, by its path. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  await Promise.all(
    ["*.md", "docs/**/*.md"]
      .flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)])
      .sort()
      .map(async (path): Promise<[string, string]> => [path, await Bun.file(join(ROOT, path)).text()]),
  ),
)

export interface CodeBlock {
  readonly page: string
  readonly language: string
  /** What follows the language. */
  readonly words: readonly string[]
  readonly text: string
}

export const BLOCKS: readonly CodeBlock[] = [...PAGES].flatMap(([page, text]) =>
  [...text.matchAll(/^```(\w*) *(.*)\n([\s\S]*?)^```$/gm)].map(([, language = "", words = "", code = ""]) => ({
    page,
    language,
    words: words.split(" ").filter((word) => word !== ""),
    text: code,
  })),
)

/** The block that is to be saved under this name. */
export function blockNamed(name: string): string {
  const block = BLOCKS.find(({ words }) => words[0] === name)
  if (block === undefined) throw new Error(`No guide has a block ${name}.`)
  return block.text
}

/** Runs a file as a reader would: in a folder with these files and our packages. */
export async function runFiles(
  command: readonly string[],
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  using folder = temporaryFolder()
  mkdirSync(folder.path, { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text)
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path, NO_COLOR: "1", ...environment },
  })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, output, errors }
}
