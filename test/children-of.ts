/** The processes that a process has started. Not every kernel lists them in /proc. */
export function childrenOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(["pgrep", "-P", String(pid)])
  return stdout.toString().split("\n").filter(Boolean).map(Number)
}
