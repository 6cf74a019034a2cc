// Written by `npm run migrations`: every migration in order, as text, so that the executable carries them.
import sql0000 from "./0000_start.sql" with { type: "text" }
import sql0001 from "./0001_withdraw-archive-external-id.sql" with { type: "text" }
import sql0002 from "./0002_feed-activity.sql" with { type: "text" }
import sql0003 from "./0003_demand.sql" with { type: "text" }
import sql0004 from "./0004_uploads.sql" with { type: "text" }
import sql0005 from "./0005_running-lines.sql" with { type: "text" }
import sql0006 from "./0006_withdrawn-sources.sql" with { type: "text" }
import sql0007 from "./0007_alerts.sql" with { type: "text" }
import sql0008 from "./0008_logo.sql" with { type: "text" }
import sql0009 from "./0009_no-rate-epoch.sql" with { type: "text" }
import sql0010 from "./0010_days.sql" with { type: "text" }
import sql0011 from "./0011_calls-with-demand.sql" with { type: "text" }
import sql0012 from "./0012_buyer-of-agent-key.sql" with { type: "text" }
import sql0013 from "./0013_call-bytes.sql" with { type: "text" }
import sql0014 from "./0014_orders-and-statements.sql" with { type: "text" }
import sql0015 from "./0015_day-lows.sql" with { type: "text" }
import sql0016 from "./0016_product-seller.sql" with { type: "text" }
import sql0017 from "./0017_call-shares.sql" with { type: "text" }
import sql0018 from "./0018_plain-history.sql" with { type: "text" }
import sql0019 from "./0019_calls-by-result.sql" with { type: "text" }
import sql0020 from "./0020_plain-uploads.sql" with { type: "text" }
import sql0021 from "./0021_calls-without-a-key.sql" with { type: "text" }
import sql0022 from "./0022_last-received.sql" with { type: "text" }
import sql0023 from "./0023_operators-invitations.sql" with { type: "text" }

export interface Migration {
  readonly name: string
  readonly sql: string
}

export const migrations: readonly Migration[] = [
  { name: "0000_start", sql: sql0000 },
  { name: "0001_withdraw-archive-external-id", sql: sql0001 },
  { name: "0002_feed-activity", sql: sql0002 },
  { name: "0003_demand", sql: sql0003 },
  { name: "0004_uploads", sql: sql0004 },
  { name: "0005_running-lines", sql: sql0005 },
  { name: "0006_withdrawn-sources", sql: sql0006 },
  { name: "0007_alerts", sql: sql0007 },
  { name: "0008_logo", sql: sql0008 },
  { name: "0009_no-rate-epoch", sql: sql0009 },
  { name: "0010_days", sql: sql0010 },
  { name: "0011_calls-with-demand", sql: sql0011 },
  { name: "0012_buyer-of-agent-key", sql: sql0012 },
  { name: "0013_call-bytes", sql: sql0013 },
  { name: "0014_orders-and-statements", sql: sql0014 },
  { name: "0015_day-lows", sql: sql0015 },
  { name: "0016_product-seller", sql: sql0016 },
  { name: "0017_call-shares", sql: sql0017 },
  { name: "0018_plain-history", sql: sql0018 },
  { name: "0019_calls-by-result", sql: sql0019 },
  { name: "0020_plain-uploads", sql: sql0020 },
  { name: "0021_calls-without-a-key", sql: sql0021 },
  { name: "0022_last-received", sql: sql0022 },
  { name: "0023_operators-invitations", sql: sql0023 },
]
