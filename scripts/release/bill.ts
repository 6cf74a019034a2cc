// What is in the executable that we did not write: the packages that the lock file names for it, Bun, and what Bun is made of.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dependencies, license, name, version } from "../../package.json"

type Lock = Readonly<Record<string, Locked>>
type Locked = readonly [id: string, from: string, needs: Needs, checksum: string]
interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalPeers?: readonly string[]
}

/** One part, as CycloneDX describes it, and the text that its licence wants to go with it. */
export interface Part {
  readonly component: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }
  readonly license: string
  readonly notice: string
}

function readLock(): Lock {
  // The lock file is JSON but for its trailing commas.
  const text = readFileSync("bun.lock", "utf8").replaceAll(/,(\s*[}\]])/g, "$1")
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages
}

/** Where a package finds another: beside itself first, then outwards, as Node looks for it. */
function placeOf(lock: Lock, from: string, wanted: string): string | undefined {
  for (let place = from; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/")))) {
    if (lock[`${place}/${wanted}`]) return `${place}/${wanted}`
  }
  return lock[wanted] ? wanted : undefined
}

function needed(lock: Lock): string[] {
  const found = new Set<string>()
  // Of Bun only the runtime is taken, which is no dependency of the package by this name.
  const open = Object.keys(dependencies).filter((place) => place !== "bun")
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (found.has(place)) continue
    found.add(place)
    const needs = lock[place]?.[2] ?? {}
    const peers = Object.keys(needs.peerDependencies ?? {}).filter((peer) => !needs.optionalPeers?.includes(peer))
    for (const wanted of [...Object.keys(needs.dependencies ?? {}), ...peers]) {
      const at = placeOf(lock, place, wanted)
      if (at !== undefined) open.push(at)
    }
  }
  return [...found].sort()
}

/** "express/cookie" is in the folder of express; "@scope/name" is one name. */
const folderOf = (place: string) =>
  `node_modules/${place.replaceAll(/(?<=(?:^|\/)(?:@[^/]+\/)?[^@/]+)\//g, "/node_modules/")}`

function npmPart(place: string, [id, , , checksum]: Locked): Part {
  const at = id.lastIndexOf("@")
  const [packageName, packageVersion] = [id.slice(0, at), id.slice(at + 1)]
  const folder = folderOf(place)
  const manifest = join(folder, "package.json")
  if (!existsSync(manifest)) throw new Error(`${folder} is not installed`)
  const { license: said } = JSON.parse(readFileSync(manifest, "utf8")) as { license?: unknown }
  if (typeof said !== "string") throw new Error(`${folder} does not say its licence`)
  const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  return {
    component: {
      type: "library",
      "bom-ref": place,
      name: packageName,
      version: packageVersion,
      purl: `pkg:npm/${packageName.replace("@", "%40")}@${packageVersion}`,
      hashes: [{ alg: "SHA-512", content: Buffer.from(checksum.replace("sha512-", ""), "base64").toString("hex") }],
      licenses: [{ expression: said }],
    },
    license: said,
    notice: texts.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n"),
  }
}

const BUN = "oven-sh/bun"

// By the names of process.versions, which has the version or commit of each: what it is called, its licence, and where it comes from.
const NATIVE: Readonly<Record<string, readonly [name: string, license: string, repository: string]>> = {
  bun: ["Bun", "MIT", BUN],
  webkit: ["JavaScriptCore (WebKit)", "LGPL-2.1-or-later AND BSD-2-Clause", "oven-sh/WebKit"],
  boringssl: ["BoringSSL", "Apache-2.0 AND ISC AND OpenSSL", "oven-sh/boringssl"],
  sqlite: ["SQLite", "blessing", "sqlite/sqlite"],
  icu: ["ICU", "Unicode-3.0", "unicode-org/icu"],
  libarchive: ["libarchive", "BSD-2-Clause", "libarchive/libarchive"],
  mimalloc: ["mimalloc", "MIT", "oven-sh/mimalloc"],
  picohttpparser: ["picohttpparser", "MIT", "h2o/picohttpparser"],
  llhttp: ["llhttp", "MIT", "nodejs/llhttp"],
  uwebsockets: ["uWebSockets", "Apache-2.0", BUN],
  usockets: ["uSockets", "Apache-2.0", BUN],
  zig: ["Zig standard library", "MIT", "oven-sh/zig"],
  zlib: ["zlib", "Zlib", "zlib-ng/zlib-ng"],
  zstd: ["Zstandard", "BSD-3-Clause", "facebook/zstd"],
  libdeflate: ["libdeflate", "MIT", "ebiggers/libdeflate"],
  tinycc: ["TinyCC", "LGPL-2.1-or-later", "oven-sh/tinycc"],
  lolhtml: ["lol-html", "BSD-3-Clause", "cloudflare/lol-html"],
  ares: ["c-ares", "MIT", "c-ares/c-ares"],
  lshpack: ["ls-hpack", "MIT", "litespeedtech/ls-hpack"],
  uv: ["libuv", "MIT", "libuv/libuv"],
}
// What process.versions names although it is not in there: levels of compatibility, and data of ICU.
const NO_PARTS = ["node", "v8", "openssl", "modules", "napi", "unicode", "typescript"]

function nativeParts(): Part[] {
  const versions = Object.entries(process.versions).filter(([key]) => !NO_PARTS.includes(key))
  return versions.map(([key, partVersion = ""]) => {
    const [partName, said, repository] = NATIVE[key] ?? []
    if (partName === undefined || said === undefined)
      throw new Error(`Bun has a part that scripts/release/bill.ts does not know: ${key}`)
    return {
      component: {
        type: "library",
        "bom-ref": `bun/${key}`,
        name: partName,
        version: partVersion,
        purl: `pkg:github/${repository}@${key === "bun" ? "bun-v" : ""}${partVersion}`,
        licenses: [{ expression: said }],
      },
      license: said,
      notice: `Part of Bun. Its source and licence: https://github.com/${repository}`,
    }
  })
}

/** Everything in the executable. */
export function parts(): Part[] {
  const lock = readLock()
  const packages = needed(lock).flatMap((place) => {
    const locked = lock[place]
    return locked === undefined ? [] : [npmPart(place, locked)]
  })
  return [...nativeParts(), ...packages]
}

/** CycloneDX 1.6. */
export function billOf(all: readonly Part[]): string {
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": name, name, version, licenses: [{ expression: license }] },
    },
    components: all.map(({ component }) => component),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

const RULE = `\n\n${"-".repeat(72)}\n\n`
// The texts that several parts share, as Debian has them.
const COMMON = { "LGPL-2.1": /LGPL-2\.1/, "Apache-2.0": /Apache-2\.0/ }

/** Who made what is in a package, and under which licences. */
export function noticesOf(all: readonly Part[]): string {
  const head = `Adbooth is under the ${license} licence: see LICENSE. It contains these works of others.\nWhoever wants to link it with a changed JavaScriptCore or TinyCC: Bun's documentation (https://github.com/${BUN}) explains how it is built.`
  const texts = all.map(({ component, license: said, notice }) =>
    `${component.name} ${component.version} (${said})\n\n${notice}`.trimEnd(),
  )
  const common = Object.entries(COMMON)
    .filter(([, pattern]) => all.some((part) => pattern.test(part.license)))
    .map(([file]) => readFileSync(`/usr/share/common-licenses/${file}`, "utf8").trim())
  return `${[head, ...texts, ...common].join(RULE)}\n`
}
