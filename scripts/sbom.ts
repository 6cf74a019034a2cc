// npm run sbom: writes the bill of materials of the executable to dist/adbooth.cdx.json (CycloneDX 1.6), and the license notices
// of its parts to dist/THIRD-PARTY-NOTICES.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dependencies, license, name, version } from "../package.json"

interface Part {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly notice: string
  readonly purl: string
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalPeers?: readonly string[]
}

type Lock = Readonly<Record<string, readonly [id: string, from: string, needs: Needs, checksum: string]>>

// The lock file is JSON with trailing commas.
const lock: Lock = JSON.parse(readFileSync("bun.lock", "utf8").replaceAll(/,(\s*[}\]])/g, "$1")).packages

/** Finds a package like Node does: beside the one that needs it, then further out. */
function placeOf(from: string, wanted: string): string | undefined {
  for (let place = from; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/")))) {
    if (lock[`${place}/${wanted}`] !== undefined) return `${place}/${wanted}`
  }
  return lock[wanted] === undefined ? undefined : wanted
}

/** Every package that the program loads, by its place in the lock file. */
function packagesNeeded(): string[] {
  const found = new Set<string>()
  // The package "bun" only brings the runtime, which is listed by its own parts.
  const open = Object.keys(dependencies).filter((place) => place !== "bun")
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (found.has(place)) continue
    found.add(place)
    const needs = lock[place]?.[2] ?? {}
    const peers = Object.keys(needs.peerDependencies ?? {}).filter((peer) => !needs.optionalPeers?.includes(peer))
    for (const wanted of [...Object.keys(needs.dependencies ?? {}), ...peers]) {
      const at = placeOf(place, wanted)
      if (at !== undefined) open.push(at)
    }
  }
  return [...found].sort()
}

/** `express/cookie` is in the folder of express, and `@scope/name` is one name. */
const folderOf = (place: string) =>
  `node_modules/${place.replaceAll(/(?<=(?:^|\/)(?:@[^/]+\/)?[^@/]+)\//g, "/node_modules/")}`

function partOf(place: string): Part {
  const folder = folderOf(place)
  const manifest = join(folder, "package.json")
  if (!existsSync(manifest)) throw new Error(`${folder} isn't installed.`)
  const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"))
  if (typeof license !== "string") throw new Error(`${folder} doesn't name its license.`)
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  const notice = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n")
  return { name, version, license, notice, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` }
}

// Bun's documentation lists the licenses of everything that its runtime links.
const BUN: Part = {
  name: "Bun",
  version: dependencies.bun,
  license: "MIT AND LGPL-2.1-or-later AND BSD-2-Clause AND BSD-3-Clause AND Apache-2.0 AND Zlib AND Unicode-3.0",
  notice: "The runtime, with JavaScriptCore, SQLite and others. Sources and licenses: https://github.com/oven-sh/bun",
  purl: `pkg:github/oven-sh/bun@bun-v${dependencies.bun}`,
}

const parts = [BUN, ...packagesNeeded().map(partOf)]
const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", name, version, licenses: [{ expression: license }] } },
  components: parts.map(({ name, version, license, purl }) => ({
    type: "library",
    name,
    version,
    purl,
    licenses: [{ expression: license }],
  })),
}
const notices = parts.map(({ name, version, license, notice }) => `${name} ${version} (${license})\n\n${notice}`)
const RULE = `\n\n${"-".repeat(72)}\n\n`

mkdirSync("dist", { recursive: true })
await Bun.write("dist/adbooth.cdx.json", `${JSON.stringify(bill, null, 2)}\n`)
await Bun.write("dist/THIRD-PARTY-NOTICES", `${notices.join(RULE)}\n`)
console.log(`dist/adbooth.cdx.json, dist/THIRD-PARTY-NOTICES: ${parts.length} parts`)
