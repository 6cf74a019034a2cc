import { expect, test } from "bun:test"
import { builtinModules } from "node:module"
import { dependencies, scripts } from "../../package.json"

// A test of the whole installation would fetch two hundred megabytes. This holds what it rests on.

const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

async function importedBySource(): Promise<Set<string>> {
  const found = new Set<string>()
  for (const path of new Bun.Glob("src/**/*.{ts,tsx}").scanSync(".")) {
    const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" })
    for (const { path: specifier, kind } of transpiler.scanImports(await Bun.file(path).text())) {
      // Bun names "react" for whatever JSX might need of it.
      if (kind !== "require-call") found.add(specifier)
    }
  }
  return found
}

test("npm start installs only what the program needs, and the program imports nothing else", async () => {
  expect([scripts.start, scripts.dev].filter((script) => !script.includes("run.mjs --light "))).toEqual([])
  const imported = [...(await importedBySource())]
  const files = imported.flatMap((specifier) => specifier.split("node_modules/").slice(1))
  const isInstalled = (file: string) => packageOf(file) in dependencies
  expect(files.filter((file) => !isInstalled(file))).toEqual([])
  const packages = imported
    .filter((specifier) => !/^(?:\.|node:|bun:|bun$)/.test(specifier))
    .map(packageOf)
    .filter((name) => !builtinModules.includes(name))
  expect(packages.length).toBeGreaterThan(10)
  expect(packages.filter((name) => !(name in dependencies))).toEqual([])
})
