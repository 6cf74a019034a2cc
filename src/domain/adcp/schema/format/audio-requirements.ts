import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const AudioAssetRequirements = s.partial({
  min_duration_ms: s.AtLeastOne,
  max_duration_ms: s.AtLeastOne,
  formats: Type.Array(s.choice("mp3 aac wav ogg flac")),
  max_file_size_kb: s.AtLeastOne,
  sample_rates: Type.Array(s.AtLeastOne),
  channels: Type.Array(s.choice("mono stereo")),
  min_bitrate_kbps: s.AtLeastOne,
  max_bitrate_kbps: s.AtLeastOne,
})

export const DaastAssetRequirements = s.partial({ daast_version: s.choice("1.0") })

export const VastAssetRequirements = s.partial({ vast_version: s.choice("2.0 3.0 4.0 4.1 4.2") })
