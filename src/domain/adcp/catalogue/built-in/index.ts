import type { CreativeFormat } from "../../schema/creative-format.ts"
import type { OwnFormats } from "../format-names.ts"
import { DISPLAY_FORMATS } from "./display.ts"
import { NATIVE_FORMATS, NEWSLETTER_FORMATS } from "./native.ts"
import { OUT_OF_HOME_FORMATS } from "./out-of-home.ts"
import { AUDIO_FORMATS, VIDEO_FORMATS } from "./video-audio.ts"

/** The public catalog that every server starts with, by ID. The operator may extend, replace or hide its formats. */
export const BUILT_IN_FORMATS: OwnFormats = new Map(
  [
    ...DISPLAY_FORMATS,
    ...VIDEO_FORMATS,
    ...AUDIO_FORMATS,
    ...NEWSLETTER_FORMATS,
    ...NATIVE_FORMATS,
    ...OUT_OF_HOME_FORMATS,
  ].map((format) => [format.format_id.id, format]),
)

/** The built-in formats, with the operator's. One of the operator's replaces a built-in one, and null hides it. */
export function withOperatorFormats(stored: ReadonlyMap<string, CreativeFormat | null>): OwnFormats {
  const formats = new Map(BUILT_IN_FORMATS)
  for (const [id, format] of stored) {
    if (format === null) formats.delete(id)
    else formats.set(id, format)
  }
  return formats
}
