import { disableTypes, imageSize, types } from "image-size"

const MEDIA_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const

// SVG can hold scripts, and the other types are rare.
disableTypes(types.filter((type) => !(type in MEDIA_TYPES)))

/** The picture on an organization's reports and statements. */
export interface Logo {
  readonly mediaType: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES]
  readonly base64: string
}

export const LOGO_BYTES_MAX = 256 * 1024
// A small file can decode to a picture of gigabytes.
const PIXELS_MAX = 4_000

/** Reads a picture by its content, whatever its name says. */
export function readLogo(bytes: Uint8Array): Logo | { readonly error: string } {
  if (bytes.length === 0) return { error: "Choose a picture." }
  if (bytes.length > LOGO_BYTES_MAX) return { error: `Choose a picture of at most ${LOGO_BYTES_MAX / 1024} KB.` }
  const picture = pictureIn(bytes)
  if (picture === null) return { error: "Choose a PNG, JPEG or WebP picture. This file is something else, or damaged." }
  const { mediaType, width, height } = picture
  if (width > PIXELS_MAX || height > PIXELS_MAX)
    return { error: `Choose a picture of at most ${PIXELS_MAX} pixels. This one has ${width} × ${height}.` }
  return { mediaType, base64: bytes.toBase64() }
}

function pictureIn(bytes: Uint8Array) {
  try {
    const { type = "", width, height } = imageSize(bytes)
    const mediaType = MEDIA_TYPES[type as keyof typeof MEDIA_TYPES]
    return mediaType === undefined || width < 1 || height < 1 ? null : { mediaType, width, height }
  } catch {
    return null
  }
}
