import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json"
import { imageArchive } from "../../scripts/release/image.ts"
import { libcFor } from "../../scripts/release/libc.ts"
import { sha256 } from "../../scripts/release/pack.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"
import { noCleanRoot } from "./clean-root.ts"

const architecture = process.arch === "arm64" ? "arm64" : "amd64"

async function whyNot(): Promise<string | null> {
  const noRoot = await noCleanRoot()
  if (noRoot !== null) return noRoot
  return libcFor(architecture).then(
    () => null,
    (cause: Error) => cause.message,
  )
}

const missing = await whyNot()
if (missing !== null) console.error(`SKIPPED: the container image is not tried: ${missing}.`)

// What every container runtime adds to an image: /proc and /dev. The process stays the same, so that signals reach the server.
const AS_CONTAINER = `PATH=/usr/sbin:/usr/bin:/sbin:/bin; mkdir "$1/proc" "$1/dev"; mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"
  root=$1 user=$2; shift 2; exec chroot --userspec="$user" "$root" "$@" serve --port 0`

interface Descriptor {
  readonly digest: string
  readonly size: number
}

/** The files of an image archive; every blob is what its name says. */
async function opened(archive: Uint8Array) {
  const files = await new Bun.Archive(new Uint8Array(archive)).files()
  const read = async (name: string) => (await files.get(name)?.bytes()) ?? new Uint8Array()
  const blob = async ({ digest, size }: Descriptor) => {
    const content = await read(`blobs/${digest.replace(":", "/")}`)
    expect([`sha256:${sha256(content)}`, content.length]).toEqual([digest, size])
    return content
  }
  const json = async (descriptor: Descriptor) => JSON.parse(Buffer.from(await blob(descriptor)).toString())
  return { read, blob, json }
}

test.if(hasBinary && missing === null)(
  "the container image has all that the executable needs, and serves as its own user from an empty root",
  async () => {
    const executable = await Bun.file(BINARY).bytes()
    const { read, blob, json } = await opened(await imageArchive([{ architecture, executable }], 1))
    const index = JSON.parse(Buffer.from(await read("index.json")).toString()) as { manifests: [Descriptor] }
    const all = (await json(index.manifests[0])) as { manifests: [Descriptor & { platform: unknown }] }
    expect(all.manifests[0].platform).toEqual({ os: "linux", architecture })
    const { config, layers } = (await json(all.manifests[0])) as { config: Descriptor; layers: Descriptor[] }
    const about = (await json(config)) as {
      config: { User: string; Entrypoint: string[]; Env: string[]; Labels: object }
    }

    expect(about.config.Labels).toMatchObject({
      "org.opencontainers.image.title": "Adbooth",
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.licenses": "MIT",
      "org.opencontainers.image.revision": expect.stringMatching(/^[0-9a-f]{40}$/),
    })

    using folder = temporaryFolder()
    const root = join(folder.path, "root")
    mkdirSync(root)
    for (const layer of layers) {
      writeFileSync(join(folder.path, "layer.tgz"), await blob(layer))
      expect(Bun.spawnSync(["tar", "-xzpf", "../layer.tgz"], { cwd: root }).success).toBe(true)
    }
    const notices = await Bun.file(join(root, "usr/share/doc/adbooth/THIRD-PARTY-NOTICES")).text()
    expect(notices).toMatch(/^glibc 2\.\d+\S* \(LGPL-2\.1-or-later\)$/m)
    const { User, Entrypoint, Env } = about.config
    const child = Bun.spawn(
      [Bun.which("unshare") ?? "", "--mount", "/bin/sh", "-ec", AS_CONTAINER, "sh", root, User, ...Entrypoint],
      {
        env: Object.fromEntries(Env.map((pair) => pair.split("=") as [string, string])),
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    let said = ""
    for await (const chunk of child.stdout) {
      said += new TextDecoder().decode(chunk)
      if (said.includes("listening on")) break
    }
    const port = /^listening on http:\S+:(\d+)$/m.exec(said)?.[1]
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).toContain("ok")
    child.kill("SIGTERM")
    expect(await child.exited).toBe(0)
  },
  600_000,
)
