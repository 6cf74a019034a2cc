// Written by `npm run migrations`: every migration in order, as text, so that the executable carries them.
import sql0000 from "./0000_start.sql" with { type: "text" }
import sql0001 from "./0001_two_factor.sql" with { type: "text" }
import sql0002 from "./0002_call_log_bounds.sql" with { type: "text" }
import sql0003 from "./0003_lists.sql" with { type: "text" }
import sql0004 from "./0004_affiliate_lines.sql" with { type: "text" }
import sql0005 from "./0005_invitations.sql" with { type: "text" }
import sql0006 from "./0006_withdraw-archive-external-id.sql" with { type: "text" }
import sql0007 from "./0007_feed-activity.sql" with { type: "text" }
import sql0008 from "./0008_demand.sql" with { type: "text" }
import sql0009 from "./0009_uploads.sql" with { type: "text" }
import sql0010 from "./0010_running-lines.sql" with { type: "text" }
import sql0011 from "./0011_withdrawn-sources.sql" with { type: "text" }
import sql0012 from "./0012_alerts.sql" with { type: "text" }
import sql0013 from "./0013_logo.sql" with { type: "text" }
import sql0014 from "./0014_days.sql" with { type: "text" }
import sql0015 from "./0015_calls-with-demand.sql" with { type: "text" }
import sql0016 from "./0016_buyer-of-agent-key.sql" with { type: "text" }
import sql0017 from "./0017_orders-and-statements.sql" with { type: "text" }
import sql0018 from "./0018_day-lows.sql" with { type: "text" }
import sql0019 from "./0019_product-seller.sql" with { type: "text" }
import sql0020 from "./0020_call-shares.sql" with { type: "text" }
import sql0021 from "./0021_lasting-user-ids.sql" with { type: "text" }
import sql0022 from "./0022_plain-history.sql" with { type: "text" }
import sql0023 from "./0023_calls-by-result.sql" with { type: "text" }
import sql0024 from "./0024_plain-uploads.sql" with { type: "text" }
import sql0025 from "./0025_calls-without-a-key.sql" with { type: "text" }
import sql0026 from "./0026_last-received.sql" with { type: "text" }
import sql0027 from "./0027_operators-invitations.sql" with { type: "text" }

export interface Migration {
  readonly name: string
  readonly sql: string
}

export const migrations: readonly Migration[] = [
  { name: "0000_start", sql: sql0000 },
  { name: "0001_two_factor", sql: sql0001 },
  { name: "0002_call_log_bounds", sql: sql0002 },
  { name: "0003_lists", sql: sql0003 },
  { name: "0004_affiliate_lines", sql: sql0004 },
  { name: "0005_invitations", sql: sql0005 },
  { name: "0006_withdraw-archive-external-id", sql: sql0006 },
  { name: "0007_feed-activity", sql: sql0007 },
  { name: "0008_demand", sql: sql0008 },
  { name: "0009_uploads", sql: sql0009 },
  { name: "0010_running-lines", sql: sql0010 },
  { name: "0011_withdrawn-sources", sql: sql0011 },
  { name: "0012_alerts", sql: sql0012 },
  { name: "0013_logo", sql: sql0013 },
  { name: "0014_days", sql: sql0014 },
  { name: "0015_calls-with-demand", sql: sql0015 },
  { name: "0016_buyer-of-agent-key", sql: sql0016 },
  { name: "0017_orders-and-statements", sql: sql0017 },
  { name: "0018_day-lows", sql: sql0018 },
  { name: "0019_product-seller", sql: sql0019 },
  { name: "0020_call-shares", sql: sql0020 },
  { name: "0021_lasting-user-ids", sql: sql0021 },
  { name: "0022_plain-history", sql: sql0022 },
  { name: "0023_calls-by-result", sql: sql0023 },
  { name: "0024_plain-uploads", sql: sql0024 },
  { name: "0025_calls-without-a-key", sql: sql0025 },
  { name: "0026_last-received", sql: sql0026 },
  { name: "0027_operators-invitations", sql: sql0027 },
]
