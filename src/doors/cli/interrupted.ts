/** A signal stopped the command. The message says what was done until then; the exit code tells the signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The result of `work`, or undefined once the signal is aborted. */
export async function unlessStopped<Result>(stop: AbortSignal, work: Promise<Result>): Promise<Result | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined)
    else stop.addEventListener("abort", () => resolve(undefined), { once: true })
  })
  return Promise.race([work, stopped])
}
