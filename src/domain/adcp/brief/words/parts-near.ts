const CHARACTERS_MAX = 3_000

/** The parts of a text around what is looked for, with their places, up to so much in all: exact forms take long to look for everywhere. */
export function partsNear(text: string, hint: RegExp, near: number): (readonly [number, string])[] {
  const ranges: [number, number][] = []
  let room = CHARACTERS_MAX
  for (const { index } of text.matchAll(hint)) {
    const [from, to] = [Math.max(0, index - near), Math.min(text.length, index + near)]
    const last = ranges.at(-1)
    if (last !== undefined && from <= last[1]) {
      room -= to - last[1]
      last[1] = to
    } else {
      room -= to - from
      ranges.push([from, to])
    }
    if (room <= 0) break
  }
  return ranges.map(([from, to]) => [from, text.slice(from, to)])
}
