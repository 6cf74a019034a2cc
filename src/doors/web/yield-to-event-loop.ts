/** For between the steps of a page that takes a while: reports that have come in meanwhile do not wait for the whole of it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
