// Small enough to be written and read in a millisecond or two.
export const PART_CHARACTERS = 65_536

/** Thrown for a file that is not text, with a sentence. */
export class NotText extends Error {
  override readonly name = "NotText"
}

/**
 * The text of a file, which may be UTF-8, UTF-16 with a byte order mark, or what older spreadsheets save: Windows-1252. Lines end with
 * a line feed afterwards, also those of old Macs.
 */
export function receivedText() {
  let head: Uint8Array | null = new Uint8Array()
  let decoder: TextDecoder | undefined
  let text = ""
  let bytes = 0
  let lineBreaks = 0
  const withLineFeeds = lineFeeds()

  function taken(more: string): string[] {
    if (more.includes("\0")) throw new NotText("This is not a text file. Save it as CSV, then upload that.")
    lineBreaks += more.split("\n").length - 1
    text += more
    const parts: string[] = []
    while (text.length >= PART_CHARACTERS) {
      // A character of two halves stays whole.
      const end = isFirstHalf(text.charCodeAt(PART_CHARACTERS - 1)) ? PART_CHARACTERS - 1 : PART_CHARACTERS
      parts.push(text.slice(0, end))
      text = text.slice(end)
    }
    return parts
  }

  function decoded(chunk: Uint8Array): string {
    // Bytes that are the same in every encoding decide nothing.
    if (decoder === undefined && isAscii(chunk)) return ASCII.decode(chunk)
    decoder ??= new TextDecoder(encodingOf(chunk))
    return decoder.decode(chunk, { stream: true })
  }

  return {
    /** The parts that are complete with these bytes. */
    add(chunk: Uint8Array): string[] {
      bytes += chunk.length
      const start = head === null ? chunk : Buffer.concat([head, chunk])
      if (head !== null && start.length < HEAD_BYTES) {
        head = start
        return []
      }
      head = null
      return taken(withLineFeeds(decoded(start), false))
    },
    end(): string[] {
      const last = (head === null ? "" : decoded(head)) + (decoder?.decode() ?? "")
      const parts = taken(withLineFeeds(last, true))
      return text === "" ? parts : [...parts, text]
    },
    get bytes() {
      return bytes
    },
    get lineBreaks() {
      return lineBreaks
    },
  }
}

// What says which encoding it is.
const HEAD_BYTES = 4

/** Ends every line with a line feed, also where its end is cut in two. */
function lineFeeds(): (text: string, isLast: boolean) => string {
  let held = ""
  return (text, isLast) => {
    const joined = held + text
    held = !isLast && joined.endsWith("\r") ? "\r" : ""
    return joined.slice(0, joined.length - held.length).replace(/\r\n?/g, "\n")
  }
}

const ASCII = new TextDecoder("utf-8")
const isFirstHalf = (unit: number) => unit >= 0xd800 && unit < 0xdc00

function isAscii(chunk: Uint8Array): boolean {
  // By index: `for of` asks an iterator for each byte, which takes twenty times as long.
  for (let at = 0; at < chunk.length; at++) if ((chunk[at] ?? 0) >= 128) return false
  return true
}

function encodingOf(chunk: Uint8Array): string {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return "utf-16le"
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return "utf-16be"
  try {
    // Not the last bytes, which may be the start of a character.
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true })
    return "utf-8"
  } catch {
    return "windows-1252"
  }
}
