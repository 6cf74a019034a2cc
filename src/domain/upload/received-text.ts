// Small enough to be written and read in a few milliseconds.
const PART_CHARACTERS = 262_144

/** Thrown for a file that is not text, with a sentence. */
export class NotText extends Error {
  override readonly name = "NotText"
}

/**
 * The text of a file, which may be UTF-8, UTF-16 with a byte order mark, or what older spreadsheets save: Windows-1252. Lines end with
 * a line feed afterwards, also those of old Macs.
 */
export function textOf(bytes: Uint8Array): string {
  const text = decoded(bytes)
  if (text.includes("\0")) throw new NotText("This is not a text file. Save it as CSV, then upload that.")
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** A text in parts to be stored. A character of two halves stays whole. */
export function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const half = text.charCodeAt(from + PART_CHARACTERS - 1)
    const to = from + PART_CHARACTERS - (half >= 0xd800 && half < 0xdc00 ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}
