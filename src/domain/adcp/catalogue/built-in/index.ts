import type { CreativeFormat } from "../../schema/format/creative-format.ts"
import { audioFormats } from "./audio.ts"
import { displayFormats } from "./display.ts"
import { nativeFormats } from "./native.ts"
import { newsletterFormats } from "./newsletter.ts"
import { outOfHomeFormats } from "./out-of-home.ts"
import { videoFormats } from "./video.ts"

/** The public catalogue that every installation starts with. The operator may extend, replace or hide its formats. */
export const builtInFormats: readonly CreativeFormat[] = [
  ...displayFormats,
  ...videoFormats,
  ...audioFormats,
  ...newsletterFormats,
  ...nativeFormats,
  ...outOfHomeFormats,
]
