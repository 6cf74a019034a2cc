import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"

export const HtmlAssetRequirements = s.partial({
  max_file_size_kb: s.AtLeastOne,
  sandbox: s.choice("none iframe safeframe fencedframe"),
  external_resources_allowed: s.Flag,
  allowed_external_domains: Type.Array(s.Hostname),
})

export const CssAssetRequirements = s.partial({ max_file_size_kb: s.AtLeastOne })

export const JavascriptAssetRequirements = s.partial({
  max_file_size_kb: s.AtLeastOne,
  module_type: s.choice("script module iife"),
  strict_mode_required: s.Flag,
  external_resources_allowed: s.Flag,
  allowed_external_domains: Type.Array(s.Hostname),
})

export const UrlAssetRequirements = s.partial({
  role: s.choice(
    "clickthrough landing_page impression_tracker click_tracker viewability_tracker",
    "third_party_tracker",
  ),
  protocols: Type.Array(s.choice("https http")),
  allowed_domains: Type.Array(s.Hostname),
  max_length: s.AtLeastOne,
  macro_support: s.Flag,
})

export const WebhookAssetRequirements = s.partial({ methods: Type.Array(s.choice("GET POST")) })
