import { expect, test } from "bun:test"
import { REVOCABLE } from "../../src/storage/copy/sides.ts"
import { tableShapes } from "../../src/storage/sqlite/copy.ts"

// ARCHITECTURE.md, "a new table", names the lists to think of before it stands here.
const TABLES = `
  organization organization_logo user membership session recovery_code one_time_link invitation campaign
  share_link package_line agent_key product creative_format opening ingest_key delivery_source
  withdrawn_report delivery_report delivery_total delivery_day affiliate_code affiliate_placement
  affiliate_metric upload upload_part upload_column feed_count feed_last_request rejected_item agent_call
  agent_call_size agent_call_share refusal alert alert_message audit_entry setting order_link sale_order
  sale_statement
`

test("every table was thought of", () => {
  expect(
    tableShapes()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(TABLES.trim().split(/\s+/).sort())
})

test("whatever ends for good stays ended after a restore", () => {
  const endings = tableShapes().flatMap(({ name, columns }) =>
    columns.flatMap((column) => (/^(?:revoked|ended)_at$/.test(column.name) ? `${name}.${column.name}` : [])),
  )
  // An alert may begin again.
  const known = [...REVOCABLE.map(([table, , ended]) => `${table}.${ended}`), "alert.ended_at"]
  expect(endings.sort()).toEqual(known.sort())
})
