/** For people. */
export const whyAborted = ({ reason }: AbortSignal) =>
  reason instanceof DOMException && reason.name === "TimeoutError" ? "No answer in time." : "The server was stopped."

/** What cannot be stopped need not be waited for. */
export function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new Error(whyAborted(signal)))
  if (signal.aborted) giveUp()
  signal.addEventListener("abort", giveUp)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", giveUp))
}
