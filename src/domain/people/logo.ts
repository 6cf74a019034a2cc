export interface Logo {
  readonly mediaType: LogoType
  readonly base64: string
}

type LogoType = "image/png" | "image/jpeg" | "image/webp"

export const LOGO_BYTES_MAX = 256 * 1024
// A small file can be a picture of gigabytes once it is decoded.
const PIXELS_MAX = 4_000

type Size = Readonly<{ width: number; height: number }>

type ReadLogo = { readonly ok: true; readonly logo: Logo } | { readonly ok: false; readonly message: string }

/** A picture by its content, whatever its name says. SVG is refused: it can hold scripts. */
export function readLogo(bytes: Uint8Array): ReadLogo {
  if (bytes.length === 0) return refused("Choose a picture.")
  if (bytes.length > LOGO_BYTES_MAX)
    return refused(`The picture is larger than ${LOGO_BYTES_MAX / 1024} KB. Make it smaller.`)
  const picture = pictureIn(bytes)
  if (picture === null) return refused("This is not a PNG, JPEG or WebP picture.")
  const { mediaType, size } = picture
  if (size === null || size.width < 1 || size.height < 1) return refused("The picture is damaged.")
  if (size.width > PIXELS_MAX || size.height > PIXELS_MAX) {
    return refused(`The picture is ${size.width} × ${size.height} pixels. The limit is ${PIXELS_MAX} either way.`)
  }
  return { ok: true, logo: { mediaType, base64: bytes.toBase64() } }
}

const refused = (message: string): ReadLogo => ({ ok: false, message })

function pictureIn(bytes: Uint8Array): { readonly mediaType: LogoType; readonly size: Size | null } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    return { mediaType: "image/png", size: pngSize(view) }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return { mediaType: "image/jpeg", size: jpegSize(view) }
  if (wordAt(view, 0) === "RIFF" && wordAt(view, 8) === "WEBP") return { mediaType: "image/webp", size: webpSize(view) }
  return null
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)

/** Four letters, or nothing where the file ends before. */
function wordAt(view: DataView, at: number): string {
  if (at + 4 > view.byteLength) return ""
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}

function pngSize(view: DataView): Size | null {
  if (view.byteLength < 24 || wordAt(view, 12) !== "IHDR") return null
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** The size is in the first frame header; the segments before it are skipped. */
function jpegSize(view: DataView): Size | null {
  let at = 2
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    // C4, C8 and CC are no frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

function webpSize(view: DataView): Size | null {
  if (view.byteLength < 30) return null
  switch (wordAt(view, 12)) {
    case "VP8 ":
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X": {
      const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
      return { width: three(24) + 1, height: three(27) + 1 }
    }
    default:
      return null
  }
}
