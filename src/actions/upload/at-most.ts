/** Does so many things at a time; others wait until one of them is over. */
export function atMost(most: number) {
  const waiting: (() => void)[] = []
  let free = most
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
