import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, optional } from "../../../schema/schema-helpers.ts"

export const AudioAssetRequirements = Type.Object(
  optional({
    min_duration_ms: AtLeastOne,
    max_duration_ms: AtLeastOne,
    formats: Type.Array(choice("mp3 aac wav ogg flac")),
    max_file_size_kb: AtLeastOne,
    sample_rates: Type.Array(AtLeastOne),
    channels: Type.Array(choice("mono stereo")),
    min_bitrate_kbps: AtLeastOne,
    max_bitrate_kbps: AtLeastOne,
  }),
)

export const DaastAssetRequirements = Type.Object(optional({ daast_version: choice("1.0") }))

export const VastAssetRequirements = Type.Object(optional({ vast_version: choice("2.0 3.0 4.0 4.1 4.2") }))
