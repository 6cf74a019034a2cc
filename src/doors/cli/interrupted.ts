/** Somebody stopped the command: what was done until then, in whole sentences, and the exit code that tells the signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The result of `work`, or undefined as soon as the signal stops it. */
export async function unlessStopped<Result>(stop: AbortSignal, work: Promise<Result>): Promise<Result | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined)
    else stop.addEventListener("abort", () => resolve(undefined), { once: true })
  })
  return Promise.race([work, stopped])
}
