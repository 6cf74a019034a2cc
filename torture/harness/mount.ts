/** Runs a program of the system; what it said when it failed, or null. */
export function system(...command: string[]): string | null {
  const { success, stderr } = Bun.spawnSync(command, { stdio: ["ignore", "ignore", "pipe"] })
  return success ? null : stderr.toString().trim()
}

/** A file system in memory of so many MiB, or why there can be none. */
export function smallDisk(path: string, mebibytes: number): Disposable | string {
  const refused = system("mount", "-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path)
  if (refused !== null) return refused
  return { [Symbol.dispose]: () => void system("umount", "--lazy", path) }
}
