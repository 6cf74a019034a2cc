import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { Size } from "../../catalogue/size.ts"
import { CatalogType } from "../vocabulary.ts"
import { canonical } from "./canonical-base.ts"

export const NativeInFeedParams = canonical({
  title_max_chars: s.AtLeastOne,
  body_text_max_chars: s.AtLeastOne,
  cta_max_chars: s.AtLeastOne,
  cta_values: Type.Array(s.Text),
  main_image_sizes: s.nonEmpty(Size),
  icon_size: Size,
  max_image_file_size_kb: s.AtLeastOne,
  image_formats: Type.Array(s.choice("jpg jpeg png gif webp")),
  ssl_required: s.Flag,
  asset_source: s.choice(
    "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
    "publisher_owned_reference",
  ),
  buyer_asset_acceptance: s.choice("accepted rejected"),
})

export const SponsoredPlacementParams = canonical({
  supported_catalog_types: Type.Array(CatalogType),
  min_items: s.AtLeastOne,
  max_items: Type.Integer(),
  fanout_mode: s.choice("per_item multi_item_in_creative single_item"),
  required_catalog_fields: Type.Array(s.Text),
  supported_id_types: Type.Array(
    s.choice(
      "asin sku gtin offering_id store_id hotel_id flight_id vehicle_id listing_id program_id",
      "destination_id app_id job_id",
    ),
  ),
  hero_asset_supported: s.Flag,
  item_production_model: s.choice(
    "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
  ),
})

export const ResponsiveCreativeParams = canonical({
  ...s.fields(
    s.Whole,
    "headlines_min headlines_max long_headlines_min long_headlines_max descriptions_min descriptions_max",
    "images_landscape_min images_landscape_max images_square_min images_square_max images_vertical_min",
    "images_vertical_max videos_min videos_max logo_min logo_max",
  ),
  ...s.fields(
    s.AtLeastOne,
    "headline_max_chars long_headline_max_chars description_max_chars video_min_duration_ms",
    "video_max_duration_ms business_name_max_chars asset_image_max_file_size_kb",
  ),
  images_landscape_aspect_ratio: s.Text,
  logo_aspect_ratios: Type.Array(s.Text),
  supports_catalog_input: s.Flag,
})

export const AgentPlacementParams = canonical({
  output_modality: s.choice("text audio card"),
  max_mention_length_chars: s.AtLeastOne,
  max_mention_duration_ms: s.AtLeastOne,
  ...s.fields(s.Flag, "supports_offering_reference supports_landing_page_url disclosure_required"),
  tone_constraints: Type.Array(s.Text),
})
