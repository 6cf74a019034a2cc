const POLL_MS = 5

/** Returns once it is so. For what tells nobody when it happens; the timeout of the test is the end of patience. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(POLL_MS)
}
