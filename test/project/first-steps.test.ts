import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { BLOCKS, ROOT } from "./guides.ts"

type Versions = Readonly<Record<string, string>>

/** The parts of package.json that npm installs. */
interface Manifest {
  readonly dependencies: Versions
  readonly devDependencies: Versions
}

const manifestOf = (path: string): Promise<Manifest & { readonly os?: readonly string[] }> => Bun.file(path).json()

test("npm installs on every system: a package for one system only is optional", async () => {
  const { dependencies, devDependencies } = await manifestOf(join(ROOT, "package.json"))
  const required = Object.keys({ ...dependencies, ...devDependencies })
  const forOneSystem: string[] = []
  for (const name of required) {
    const path = join(ROOT, "node_modules", name, "package.json")
    // npm leaves out a package that doesn't fit only if it's optional.
    const { os } = existsSync(path) ? await manifestOf(path) : { os: ["missing"] }
    if (os?.length === 1 || /darwin|linux|win32/.test(name)) forOneSystem.push(name)
  }
  expect(forOneSystem).toEqual([])
})

describe("the commands of the README", () => {
  const blocks = BLOCKS.filter(({ page, language }) => page === "README.md" && language === "sh")

  test("start a server in a block of its own, and never in the background", () => {
    const starting = blocks.filter(({ text }) => text.includes("npm start"))
    expect(starting.map(({ text }) => text.trim())).toEqual(["npm start -- --demo", "npm start"])
  })

  test("save no file into the checkout, so its check still passes", () => {
    expect(blocks.length).toBeGreaterThan(2)
    expect(blocks.filter(({ text }) => / > |>> | -o | --output /.test(text))).toEqual([])
  })
})
