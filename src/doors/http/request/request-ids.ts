/** Cheap ids that are unique across restarts: a random prefix and a counter. */
export function requestIds(random: (bytes: number) => Uint8Array): () => string {
  const start = random(6).toHex()
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
