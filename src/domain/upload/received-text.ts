/** Thrown for a file that is not text, with a sentence. */
export class NotText extends Error {
  override readonly name = "NotText"
}

/** Files of other programs by how they begin, whatever their name says, and what to do about them. */
const NO_TABLES: readonly (readonly [begins: RegExp | string, advice: string])[] = [
  [
    /^\s*<(?:!doctype|html|head|body|meta|table|script|style)\b/i,
    "This is a web page, not a table. If it asks you to sign in, do so and export again. If it shows the figures, open it in Excel and save it as CSV or .xlsx.",
  ],
  [/^\s*<\?xml\b/i, "This is XML, not a table. Open it in Excel and save it as CSV or .xlsx."],
  [/^\s*[[{]\s*["{[]/, "This is JSON. Export it as CSV or .xlsx. Figures as JSON are for the API."],
  ["\xd0\xcf\x11\xe0", "This is a workbook of an older Excel (.xls). Save it as .xlsx or CSV, then upload that."],
  ["%PDF", "This is a PDF. Export the table as CSV or .xlsx, then upload that."],
  ["\x1f\x8b", "This file is compressed. Unpack it, then upload what is in it."],
]

/** Throws for a file that is no table, if its beginning says so. */
export function refuseOtherFiles(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 200))
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
  const advice = NO_TABLES.find(([begins]) =>
    typeof begins === "string" ? start.startsWith(begins) : begins.test(start),
  )?.[1]
  if (advice !== undefined) throw new NotText(advice)
}

const SLICE_BYTES = 65_536

/**
 * The text of a file in slices, which may be UTF-8, UTF-16 with a byte order mark, or what older spreadsheets save: Windows-1252. Lines end
 * with a line feed afterwards, also those of old Macs.
 */
export function* textSlices(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" })
  // A carriage return at the end of a slice may be followed by its line feed.
  let held = ""
  for (let from = 0; from <= bytes.length; from += SLICE_BYTES) {
    const isLast = from + SLICE_BYTES > bytes.length
    const text = held + decoder.decode(bytes.subarray(from, from + SLICE_BYTES), { stream: !isLast })
    if (text.includes("\0")) throw new NotText("This is not a text file. Save it as CSV, then upload that.")
    held = !isLast && text.endsWith("\r") ? "\r" : ""
    yield (held === "" ? text : text.slice(0, -1)).replace(/\r\n?/g, "\n")
  }
}

/** The encodings that a file may have: the first one that fits is it. */
export function encodingsOf(bytes: Uint8Array): readonly string[] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ["utf-16le"]
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ["utf-16be"]
  return ["utf-8", "windows-1252"]
}
