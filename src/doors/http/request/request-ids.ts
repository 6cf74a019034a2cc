/** Ids that are unique across restarts and cost next to nothing: a random start and a running number. */
export function requestIds(random: (bytes: number) => Uint8Array): () => string {
  const start = random(6).toHex()
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
