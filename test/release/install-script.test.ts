import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { sha256, tarGz } from "../../scripts/release/pack.ts"
import { temporaryFolder } from "../harness.ts"

const platform = `${process.platform === "darwin" ? "macos" : process.platform}-${process.arch}`
const ARCHIVE = `adbooth-${platform}.tar.gz`
const canRun = process.platform !== "win32" && Bun.which("curl") !== null
if (!canRun) console.error("SKIPPED: install.sh is not tried: it needs a POSIX shell and curl.")

/** The archive of a release: what it installs says hello. */
const archive = await tarGz([
  { name: `adbooth-${platform}/adbooth`, content: '#!/bin/sh\necho "hello $1"\n', mode: 0o755 },
])
const SUMS = `${sha256(archive)}  ${ARCHIVE}\n`

async function install(files: Readonly<Record<string, Uint8Array | string>>, to: string) {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const file = files[new URL(request.url).pathname.slice(1)]
      return file === undefined ? new Response("not found", { status: 404 }) : new Response(file as BodyInit)
    },
  })
  const child = Bun.spawn(["sh", resolve("deploy/packages/install.sh"), to], {
    env: { ...process.env, ADBOOTH_RELEASE: server.url.href.replace(/\/$/, "") },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err: err.trim().split("\n").at(-1) }
}

test.if(canRun)("install.sh installs the executable for this machine, over an older one too", async () => {
  using folder = temporaryFolder()
  const program = join(folder.path, "bin", "adbooth")
  for (const _ of ["first", "update"]) {
    const { code, out } = await install({ [ARCHIVE]: archive, SHA256SUMS: SUMS }, join(folder.path, "bin"))
    expect({ code, out }).toEqual({ code: 0, out: `Installed ${program}. Try: adbooth serve --demo\n` })
  }
  expect(Bun.spawnSync([program, "there"]).stdout.toString()).toBe("hello there\n")
})

const cut = archive.slice(0, -1)
test.if(canRun).each([
  ["another archive", { [ARCHIVE]: cut, SHA256SUMS: SUMS }, "is not what SHA256SUMS says: nothing was installed."],
  ["no checksum for it", { [ARCHIVE]: archive, SHA256SUMS: "" }, `SHA256SUMS does not name ${ARCHIVE}.`],
  ["no checksums", { [ARCHIVE]: archive }, "/SHA256SUMS could not be downloaded."],
  ["no archive", { SHA256SUMS: SUMS }, `/${ARCHIVE} could not be downloaded.`],
] as const)("install.sh installs nothing where there is %s", async (_, files, why) => {
  using folder = temporaryFolder()
  const { code, err } = await install(files, join(folder.path, "bin"))
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(why) })
  expect(existsSync(join(folder.path, "bin", "adbooth"))).toBe(false)
})
