import { expect, test } from "bun:test"
import { readableColumns } from "../../src/doors/cli/csv-files.ts"
import { REVOCABLE } from "../../src/storage/copy/sides.ts"
import { tableShapes } from "../../src/storage/sqlite/copy.ts"

// Every table, with its texts that a CSV export may show. ARCHITECTURE.md, "a new table", names the lists to think of.
const SHOWN: Readonly<Record<string, string>> = {
  organization: "slug name time_zone",
  organization_logo: "media_type base64",
  user: "email name",
  membership: "role",
  session: "user_agent address",
  recovery_code: "",
  one_time_link: "purpose",
  invitation: "email name role",
  campaign: "slug name",
  share_link: "label",
  package_line: "package_id name pricing_basis flight_start flight_end currency external_id",
  agent_key: "id label prefix",
  product: "product_id body",
  creative_format: "format_id body",
  opening: "agent_key_id product_id territories",
  ingest_key: "id label prefix",
  delivery_source: "kind reference detail",
  withdrawn_report: "withdrawn_by reason",
  delivery_report: "",
  delivery_total: "",
  delivery_day: "day",
  outdated_days: "before",
  affiliate_code: "code slug",
  affiliate_placement: "",
  affiliate_metric: "date",
  upload: "kind file_name state choices summary",
  upload_part: "kind content",
  upload_column: "kind name meaning",
  feed_count: "ingest_key_id feed unit outcome",
  feed_last_request: "ingest_key_id feed outcome",
  rejected_item: "ingest_key_id feed reason message package_id code sent",
  agent_call: "agent_key_id address method tool arguments outcome demand countries",
  agent_call_size: "",
  agent_call_share: "caller",
  refusal: "door",
  alert: "kind subject title detail path",
  alert_message: "id channel content problem",
  audit_entry: "actor action subject details",
  setting: "name value",
  order_link: "product_id label territories",
  sale_order:
    "id agent_key_id product_id state moved_by product requester priced asked offered message booking package_id",
  sale_statement: "number state frozen_by paid_on body",
}

test("every table was thought of, and of its texts a CSV export shows only what is no secret", () => {
  const shown = tableShapes().map((table) => {
    const texts = new Set(table.columns.filter(({ kind }) => kind === "text").map(({ name }) => name))
    const titles = readableColumns({ ...table, rows: async function* () {} }, new Map()).map(({ title }) => title)
    return [table.name, titles.filter((title) => texts.has(title)).join(" ")]
  })
  expect(Object.fromEntries(shown)).toEqual(SHOWN)
})

test("whatever ends for good stays ended after a restore", () => {
  const endings = tableShapes().flatMap(({ name, columns }) =>
    columns.flatMap((column) => (/^(?:revoked|ended)_at$/.test(column.name) ? `${name}.${column.name}` : [])),
  )
  // An alert may begin again.
  const known = [...REVOCABLE.map(([table, , ended]) => `${table}.${ended}`), "alert.ended_at"]
  expect(endings.sort()).toEqual(known.sort())
})
