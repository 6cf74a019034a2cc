import { Type } from "@sinclair/typebox"
import { AtLeastOne, choice, Flag, optional, ruled, Text, Whole } from "../../../schema/schema-helpers.ts"
import { Size } from "../../catalogue/size.ts"
import { CatalogType } from "../vocabulary.ts"
import { CanonicalBase } from "./canonical-base.ts"

export const NativeInFeedParams = ruled(
  Type.Object(
    optional({
      title_max_chars: AtLeastOne,
      body_text_max_chars: AtLeastOne,
      cta_max_chars: AtLeastOne,
      cta_values: Type.Array(Text),
      main_image_sizes: Type.Array(Size, { minItems: 1 }),
      icon_size: Size,
      max_image_file_size_kb: AtLeastOne,
      image_formats: Type.Array(choice("jpg jpeg png gif webp")),
      ssl_required: Flag,
      asset_source: choice(
        "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
        "publisher_owned_reference",
      ),
      buyer_asset_acceptance: choice("accepted rejected"),
    }),
  ),
  CanonicalBase,
)

export const SponsoredPlacementParams = ruled(
  Type.Object(
    optional({
      supported_catalog_types: Type.Array(CatalogType),
      min_items: AtLeastOne,
      max_items: Type.Integer(),
      fanout_mode: choice("per_item multi_item_in_creative single_item"),
      required_catalog_fields: Type.Array(Text),
      supported_id_types: Type.Array(
        choice(
          "asin sku gtin offering_id store_id hotel_id flight_id vehicle_id listing_id program_id",
          "destination_id app_id job_id",
        ),
      ),
      hero_asset_supported: Flag,
      item_production_model: choice(
        "buyer_uploaded seller_pre_rendered_from_brief seller_human_designed agent_synthesized",
      ),
    }),
  ),
  CanonicalBase,
)

export const ResponsiveCreativeParams = ruled(
  Type.Object(
    optional({
      headlines_min: Whole,
      headlines_max: Whole,
      headline_max_chars: AtLeastOne,
      long_headlines_min: Whole,
      long_headlines_max: Whole,
      long_headline_max_chars: AtLeastOne,
      descriptions_min: Whole,
      descriptions_max: Whole,
      description_max_chars: AtLeastOne,
      images_landscape_min: Whole,
      images_landscape_max: Whole,
      images_landscape_aspect_ratio: Text,
      images_square_min: Whole,
      images_square_max: Whole,
      images_vertical_min: Whole,
      images_vertical_max: Whole,
      videos_min: Whole,
      videos_max: Whole,
      video_min_duration_ms: AtLeastOne,
      video_max_duration_ms: AtLeastOne,
      logo_min: Whole,
      logo_max: Whole,
      logo_aspect_ratios: Type.Array(Text),
      business_name_max_chars: AtLeastOne,
      asset_image_max_file_size_kb: AtLeastOne,
      supports_catalog_input: Flag,
    }),
  ),
  CanonicalBase,
)

export const AgentPlacementParams = ruled(
  Type.Object(
    optional({
      output_modality: choice("text audio card"),
      max_mention_length_chars: AtLeastOne,
      max_mention_duration_ms: AtLeastOne,
      supports_offering_reference: Flag,
      supports_landing_page_url: Flag,
      tone_constraints: Type.Array(Text),
      disclosure_required: Flag,
    }),
  ),
  CanonicalBase,
)
