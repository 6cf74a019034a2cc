/** Called between the steps of a slow page, so that reports that came in meanwhile do not wait for all of it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
