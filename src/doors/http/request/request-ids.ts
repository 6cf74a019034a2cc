/** Cheap ids that are unique across restarts: a random prefix and a counter. Those of a traced request begin with the id of the trace. */
export function requestIds(random: (bytes: number) => Uint8Array): (traceId: string | null) => string {
  const start = random(6).toHex()
  let count = 0
  return (traceId) => {
    const id = `${start}-${(count++).toString(36)}`
    return traceId === null ? id : `${traceId}-${id}`
  }
}
