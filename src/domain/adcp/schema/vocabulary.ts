import { choice } from "../../schema/build.ts"

// The words of AdCP 3.1, in the order of its schemas.

export const AssetContentType = choice(
  "image video audio text markdown html css javascript vast daast url webhook brief catalog published_post",
)
export const AvailableMetric = choice(
  "impressions spend clicks ctr views completed_views completion_rate conversions conversion_value roas",
  "cost_per_acquisition new_to_brand_rate leads reach frequency grps engagements engagement_rate follows saves",
  "profile_visits viewability quartile_data dooh_metrics cost_per_click cost_per_completed_view cpm downloads",
  "units_sold new_to_brand_units plays incremental_sales_lift brand_lift foot_traffic conversion_lift",
  "brand_search_lift",
)
export const CatalogType = choice(
  "offering product inventory store promotion hotel flight job vehicle real_estate education destination app",
)
export const Channel = choice(
  "display olv social search ctv linear_tv radio streaming_audio podcast dooh ooh print cinema email gaming",
  "retail_media influencer affiliate product_placement sponsored_intelligence",
)
export const DeliveryType = choice("guaranteed non_guaranteed")
export const DimensionUnit = choice("px dp inches cm mm pt")
export const EventType = choice(
  "page_view view_content select_content select_item search share add_to_cart remove_from_cart viewed_cart",
  "add_to_wishlist initiate_checkout add_payment_info purchase refund lead qualify_lead close_convert_lead",
  "disqualify_lead complete_registration subscribe follow content_view watch_milestone start_trial app_install",
  "app_launch contact schedule donate submit_application custom",
)
export const Exclusivity = choice("none category exclusive")
export const FormatKind = choice(
  "image html5 display_tag image_carousel video_hosted video_vast audio_hosted audio_daast",
  "sponsored_placement native_in_feed responsive_creative agent_placement custom",
)
export const MetroSystem = choice("nielsen_dma uk_itl1 uk_itl2 eurostat_nuts2 custom")
export const ReportingFrequency = choice("hourly daily monthly")
