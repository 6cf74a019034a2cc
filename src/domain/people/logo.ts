import { disableTypes, imageSize, types } from "image-size"

export type Logo = Readonly<{ mediaType: LogoType; base64: string }>

type LogoType = (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES]

const MEDIA_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const
// SVG can hold scripts, and nobody needs the others.
disableTypes(types.filter((type) => !(type in MEDIA_TYPES)))

export const LOGO_BYTES_MAX = 256 * 1024
// A small file can be a picture of gigabytes once it is decoded.
const PIXELS_MAX = 4_000

type ReadLogo = { readonly ok: true; readonly logo: Logo } | { readonly ok: false; readonly message: string }

/** A picture by its content, whatever its name says. */
export function readLogo(bytes: Uint8Array): ReadLogo {
  if (bytes.length === 0) return refused("Choose a picture.")
  if (bytes.length > LOGO_BYTES_MAX)
    return refused(`The picture is larger than ${LOGO_BYTES_MAX / 1024} KB. Make it smaller.`)
  const picture = pictureIn(bytes)
  if (picture === null) return refused("This is not a PNG, JPEG or WebP picture, or it is damaged.")
  const { mediaType, width, height } = picture
  if (width > PIXELS_MAX || height > PIXELS_MAX) {
    return refused(`The picture is ${width} × ${height} pixels. The limit is ${PIXELS_MAX} either way.`)
  }
  return { ok: true, logo: { mediaType, base64: bytes.toBase64() } }
}

const refused = (message: string): ReadLogo => ({ ok: false, message })

function pictureIn(bytes: Uint8Array) {
  try {
    const { type, width, height } = imageSize(bytes)
    const mediaType = MEDIA_TYPES[type as keyof typeof MEDIA_TYPES]
    return mediaType === undefined || width < 1 || height < 1 ? null : { mediaType, width, height }
  } catch {
    return null
  }
}
