import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, Hostname, optional } from "../../../schema/schema-helpers.ts"

export const HtmlAssetRequirements = Type.Object(
  optional({
    max_file_size_kb: AtLeastOne,
    sandbox: choice("none iframe safeframe fencedframe"),
    external_resources_allowed: Flag,
    allowed_external_domains: Type.Array(Hostname),
  }),
)

export const CssAssetRequirements = Type.Object(optional({ max_file_size_kb: AtLeastOne }))

export const JavascriptAssetRequirements = Type.Object(
  optional({
    max_file_size_kb: AtLeastOne,
    module_type: choice("script module iife"),
    strict_mode_required: Flag,
    external_resources_allowed: Flag,
    allowed_external_domains: Type.Array(Hostname),
  }),
)

export const UrlAssetRequirements = Type.Object(
  optional({
    role: choice(
      "clickthrough landing_page impression_tracker click_tracker viewability_tracker",
      "third_party_tracker",
    ),
    protocols: Type.Array(choice("https http")),
    allowed_domains: Type.Array(Hostname),
    max_length: AtLeastOne,
    macro_support: Flag,
  }),
)

export const WebhookAssetRequirements = Type.Object(optional({ methods: Type.Array(choice("GET POST")) }))
