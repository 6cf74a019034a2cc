const ATTACHED_WITHIN_MS = 10_000

/** Watches a running server with strace until it's disposed of: ["-P", file, "-e", "inject=pwrite64:error=ENOSPC"]. */
export async function trace(pid: number, options: readonly string[]): Promise<AsyncDisposable> {
  const child = Bun.spawn(["strace", "-f", ...options, "-p", String(pid)], { stdout: "ignore", stderr: "pipe" })
  const reader = child.stderr.getReader()
  const decoder = new TextDecoder()
  const until = performance.now() + ATTACHED_WITHIN_MS
  let said = ""
  while (!said.includes("attached")) {
    const { done, value } = await reader.read()
    said += decoder.decode(value)
    if (done || performance.now() > until) throw new Error(`strace can't watch the server: ${said}`)
  }
  return {
    async [Symbol.asyncDispose]() {
      await reader.cancel()
      child.kill("SIGINT")
      await child.exited
    },
  }
}

/** Starts a server under strace. The server stays the child of this process, so that signals reach it. */
export const traced = (...options: string[]): string[] => ["strace", "-D", "-f", "--seccomp-bpf", "-qq", ...options]
