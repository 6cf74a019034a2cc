import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../harness.ts"

const SCRATCH = 'mount -t tmpfs scratch "$1" && mkdir "$1/up" "$1/work" "$1/root"'
const OVERLAY = 'mount -t overlay root -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$1/root"'

/** Runs a shell script as root on a copy of this machine's file system that is gone afterwards; `files` are in its /given. */
export async function inCleanRoot(script: string, files: Readonly<Record<string, Uint8Array | string>> = {}) {
  using folder = temporaryFolder()
  using given = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(given.path, name), content)
  writeFileSync(join(given.path, "script.sh"), script)
  // What is mounted in the namespace goes with it.
  const inside = `set -e; ${SCRATCH}; ${OVERLAY}; mkdir "$1/root/given"; cp -r "$2/." "$1/root/given"
    mount --bind /dev "$1/root/dev"; mount -t proc proc "$1/root/proc"; exec chroot "$1/root" /bin/sh -e /given/script.sh`
  const child = Bun.spawn(
    ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, "sh", folder.path, given.path],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** Why there can be no clean root here; null when there can. */
export async function noCleanRoot(): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a clean root needs Linux and root"
  const { code, err } = await inCleanRoot("true")
  return code === 0 ? null : `a clean root cannot be made here: ${err.trim()}`
}
