import { expect, test } from "bun:test"
import fc from "fast-check"
import { LOGO_BYTES_MAX, readLogo } from "../../../src/domain/people/organization.ts"

const big = (value: number, count: number) =>
  Array.from({ length: count }, (_, at) => (value >>> (8 * (count - 1 - at))) & 255)

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

/** The head of a PNG of this size. */
const png = (width: number, height: number) =>
  Uint8Array.from([
    0x89,
    ...letters("PNG"),
    13,
    10,
    26,
    10,
    ...big(13, 4),
    ...letters("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
  ])

/** The head of a JPEG, after a comment. */
const jpeg = (width: number, height: number) =>
  Uint8Array.from([
    0xff,
    0xd8,
    0xff,
    0xfe,
    ...big(6, 2),
    1,
    2,
    3,
    4,
    0xff,
    0xc2,
    ...big(17, 2),
    8,
    ...big(height, 2),
    ...big(width, 2),
    3,
  ])

test("a picture is known by its content", () => {
  expect(readLogo(png(300, 80))).toMatchObject({ mediaType: "image/png" })
  expect(readLogo(jpeg(300, 80))).toMatchObject({ mediaType: "image/jpeg" })
})

test.each([
  ["nothing", new Uint8Array(), "Choose a picture."],
  ["a large file", new Uint8Array(LOGO_BYTES_MAX + 1), "Choose a picture of at most 256 KB."],
  ["a drawing", new TextEncoder().encode("<svg width='1' height='1'/>"), "Choose a PNG, JPEG or WebP picture."],
  ["an animation", new TextEncoder().encode("GIF89a"), "Choose a PNG, JPEG or WebP picture."],
  ["a huge picture", png(4_001, 10), "Choose a picture of at most 4000 pixels. This one has 4001 × 10."],
  ["a picture without height", png(10, 0), "Choose a PNG, JPEG or WebP picture."],
])("%s is refused", (_, bytes, error) => {
  const read = readLogo(bytes)
  expect("error" in read && read.error).toStartWith(error)
})

test("no file breaks the reader", () => {
  const starts = fc.constantFrom(png(9, 9), jpeg(9, 9), Uint8Array.from(letters("RIFF....WEBPVP8X")))
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 60 }), fc.nat(40), (start, rest, cut) => {
      readLogo(Uint8Array.from([...start.slice(0, cut), ...rest]))
    }),
  )
})
