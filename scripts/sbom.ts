// npm run sbom: writes the software bill of materials of the executable to dist/adbooth.cdx.json (CycloneDX 1.6): every package that
// the lock file names for it, with version, checksum and license.
import { mkdir } from "node:fs/promises"
import { dependencies, name, version } from "../package.json"

// What the build puts into the executable although the program does not import it: the runtime, and the page of the API reference.
const EMBEDDED = ["bun"] as const
// Of the page only the finished file is taken, not the packages that it was made from.
const WITHOUT_DEPENDENCIES = new Set<string>(EMBEDDED)
const OUTPUT = "dist/adbooth.cdx.json"

type Locked = readonly [id: string, from: string, needs: Needs, checksum: string]
interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalPeers?: readonly string[]
}

async function readLock(): Promise<Readonly<Record<string, Locked>>> {
  // The lock file is JSON but for its trailing commas.
  const text = (await Bun.file("bun.lock").text()).replaceAll(/,(\s*[}\]])/g, "$1")
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages
}

/** Where a package finds another: beside itself first, then outwards, as Node looks for it. */
function placeOf(lock: Readonly<Record<string, Locked>>, from: string, wanted: string): string | undefined {
  for (let place = from; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/")))) {
    if (lock[`${place}/${wanted}`]) return `${place}/${wanted}`
  }
  return lock[wanted] ? wanted : undefined
}

function needed(lock: Readonly<Record<string, Locked>>): string[] {
  const found = new Set<string>()
  const open = [...Object.keys(dependencies), ...EMBEDDED]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (found.has(place)) continue
    found.add(place)
    const needs = lock[place]?.[2] ?? {}
    if (WITHOUT_DEPENDENCIES.has(place)) continue
    const optional = new Set(needs.optionalPeers)
    const peers = Object.keys(needs.peerDependencies ?? {}).filter((peer) => !optional.has(peer))
    for (const wanted of [...Object.keys(needs.dependencies ?? {}), ...peers]) {
      const at = placeOf(lock, place, wanted)
      if (at !== undefined) open.push(at)
    }
  }
  return [...found].sort()
}

async function component(place: string, [id, , , checksum]: Locked) {
  const at = id.lastIndexOf("@")
  const [packageName, packageVersion] = [id.slice(0, at), id.slice(at + 1)]
  const manifest = Bun.file(`node_modules/${place}/package.json`)
  const { license } = (await manifest.exists()) ? ((await manifest.json()) as { license?: unknown }) : {}
  return {
    type: "library",
    "bom-ref": place,
    name: packageName,
    version: packageVersion,
    purl: `pkg:npm/${packageName.replace("@", "%40")}@${packageVersion}`,
    hashes: [{ alg: "SHA-512", content: Buffer.from(checksum.replace("sha512-", ""), "base64").toString("hex") }],
    ...(typeof license === "string" && { licenses: [{ expression: license }] }),
  }
}

const lock = await readLock()
const components = []
for (const place of needed(lock)) {
  const locked = lock[place]
  if (locked !== undefined) components.push(await component(place, locked))
}
const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: { type: "application", "bom-ref": name, name, version, licenses: [{ expression: "MIT" }] },
    properties: [{ name: "adbooth:bun", value: dependencies.bun }],
  },
  components,
}
await mkdir("dist", { recursive: true })
await Bun.write(OUTPUT, `${JSON.stringify(bill, null, 2)}\n`)
process.stdout.write(`${OUTPUT}: ${components.length} packages\n`)
