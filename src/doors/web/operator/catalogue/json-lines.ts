/** The line (from 1) where the value of a JSON pointer begins; that of the nearest value around it if it is missing. */
export function lineOf(text: string, pointer: string): number {
  const starts = valueStarts(text)
  let wanted = pointer
  while (!starts.has(wanted) && wanted !== "") wanted = wanted.slice(0, wanted.lastIndexOf("/"))
  const start = starts.get(wanted) ?? 0
  return text.slice(0, start).split("\n").length
}

const SPACE = /\s*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const PLAIN = /[^\s,\]}]+/y

/** Where each value of the text begins, by pointer. The text is known to be valid JSON. */
function valueStarts(text: string): Map<string, number> {
  const starts = new Map<string, number>()
  let at = 0

  function take(pattern: RegExp): string {
    pattern.lastIndex = at
    const [found = ""] = pattern.exec(text) ?? []
    at += found.length
    return found
  }

  function value(pointer: string): void {
    take(SPACE)
    starts.set(pointer, at)
    if (text[at] === "{") members(pointer, "}", () => keyOf(take(STRING)))
    else if (text[at] === "[") members(pointer, "]", String)
    else if (text[at] === '"') take(STRING)
    else take(PLAIN)
  }

  function members(pointer: string, end: string, nameOf: (index: number) => string): void {
    at++
    take(SPACE)
    for (let index = 0; at < text.length && text[at] !== end; index++) {
      const name = nameOf(index)
      take(SPACE)
      if (text[at] === ":") at++
      value(`${pointer}/${name}`)
      take(SPACE)
      if (text[at] === ",") at++
      take(SPACE)
    }
    at++
  }

  value("")
  return starts
}

function keyOf(quoted: string): string {
  return String(JSON.parse(quoted)).replaceAll("~", "~0").replaceAll("/", "~1")
}
