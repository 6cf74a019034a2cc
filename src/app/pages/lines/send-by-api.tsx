import { publicUrl } from "../../../actions/public-url.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { Fold } from "../../parts/blocks.tsx"
import { Copyable } from "../../parts/copyable.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

interface SendByApiProps {
  readonly visit: MemberVisit
  readonly line: StoredLine
}

/** How a program reports the line. */
export const SendByApi = ({ visit, line }: SendByApiProps) => (
  <Fold title="Send by API" note="line ID, example request">
    <Copyable id="line-id" label="Line ID" text={line.packageId} />
    <Copyable id="curl" label="Example request" text={exampleOf(visit, line)} />
    <p class="hint">
      Replace <code>$ADBOOTH_KEY</code> with an API key. Admins create them under{" "}
      {visit.role === "admin" ? <a href={`${homeOf(visit)}/keys`}>API keys</a> : "API keys"}.
    </p>
  </Fold>
)

function exampleOf({ context }: MemberVisit, { packageId, pricingBasis }: StoredLine): string {
  const quantity = pricingBasis === "flat_rate" ? {} : { [pricingBasis]: 1200 }
  const items = JSON.stringify([{ package_id: packageId, ...quantity }])
  return [
    `curl ${publicUrl(context)}/api/ingest/delivery/metrics \\`,
    `  -H "Authorization: Bearer $ADBOOTH_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"items":${items}}'`,
  ].join("\n")
}
