import { startInRoot } from "../../scripts/release/clean-root.ts"

/** Runs a shell script as root on a copy of this machine's file system that is gone afterwards; `files` are in its /given. */
export async function inCleanRoot(script: string, files: Readonly<Record<string, Uint8Array | string>> = {}) {
  const child = startInRoot({ lower: "/", script, files })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** Why there can be no clean root here; null when there can. */
export async function noCleanRoot(): Promise<string | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a clean root needs Linux and root"
  const { code, err } = await inCleanRoot("true")
  return code === 0 ? null : `a clean root cannot be made here: ${err.trim()}`
}
