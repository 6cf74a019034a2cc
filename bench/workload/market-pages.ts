import { SELLER } from "./lines.ts"
import { BUSIEST_LINE, BUYER, LARGEST_CAMPAIGN } from "./market.ts"

const SELLERS = `/app/o/${SELLER}`
const CAMPAIGN = `${SELLERS}/campaigns/${LARGEST_CAMPAIGN}`
const LINE = `${CAMPAIGN}/lines/${BUSIEST_LINE}`
const OPERATOR = "/app/operator"

/** Where a campaign is shared: the largest one. */
export const SHARE_FORM = `${CAMPAIGN}/share`

/** Every page that shows or counts much, by what people call it. */
export const marketPages: Readonly<Record<string, string>> = {
  "campaigns of the seller": `${SELLERS}/campaigns`,
  "campaigns of the seller, the last page": `${SELLERS}/campaigns?from=1950`,
  "today, at the seller": SELLERS,
  "today, lines from 500 on": `${SELLERS}?from=500`,
  "campaigns of the seller that run": `${SELLERS}/campaigns?state=running`,
  "campaigns of the seller, by what is delivered": `${SELLERS}/campaigns?sort=-delivered`,
  "campaigns of the seller, searched": `${SELLERS}/campaigns?q=77`,
  "campaigns of the buyer, by value": `/app/o/${BUYER}/campaigns?sort=-value`,
  "campaigns of the buyer": `/app/o/${BUYER}/campaigns`,
  "the largest campaign": CAMPAIGN,
  "the largest campaign, lines from 4,800 on": `${CAMPAIGN}?from=4800`,
  "the largest campaign, as its buyer sees it": `/app/o/${BUYER}/campaigns/${LARGEST_CAMPAIGN}`,
  "share links of the largest campaign": SHARE_FORM,
  "rename the largest campaign": `${CAMPAIGN}/edit`,
  "add a line to the largest campaign": `${CAMPAIGN}/new-line`,
  "new campaign": `${SELLERS}/new-campaign`,
  "the busiest line": LINE,
  affiliates: `${SELLERS}/affiliates`,
  "affiliates of a campaign": `${SELLERS}/affiliates?campaign=${LARGEST_CAMPAIGN}`,
  "affiliates, by clicks": `${SELLERS}/affiliates?sort=-clicks`,
  "affiliates of the buyer": `/app/o/${BUYER}/affiliates`,
  "an affiliate code": `${SELLERS}/affiliates/1`,
  "API keys": `${SELLERS}/keys`,
  members: `${SELLERS}/members`,
  "the operator's overview": OPERATOR,
  organizations: `${OPERATOR}/organizations`,
  "organizations, searched": `${OPERATOR}/organizations?q=77`,
  users: `${OPERATOR}/users`,
  "users, the newest first": `${OPERATOR}/users?sort=-since`,
  products: `${OPERATOR}/products`,
  formats: `${OPERATOR}/formats`,
  "agent keys": `${OPERATOR}/agent-keys`,
  openings: `${OPERATOR}/openings`,
  "agent calls": `${OPERATOR}/calls`,
  "agent calls, searched for what is not there": `${OPERATOR}/calls?text=nowhere`,
  "audit trail": `${OPERATOR}/audit`,
  "audit trail, searched for what is not there": `${OPERATOR}/audit?text=nowhere`,
  system: `${OPERATOR}/system`,
  backups: `${OPERATOR}/backups`,
}

/** Every download that may be long. */
export const marketExports: Readonly<Record<string, string>> = {
  "campaigns as CSV": `${SELLERS}/campaigns.csv`,
  "campaigns of the buyer as CSV": `/app/o/${BUYER}/campaigns.csv`,
  "lines of the largest campaign as CSV": `${CAMPAIGN}/lines.csv`,
  "history of the busiest line as CSV": `${LINE}/history.csv`,
  "affiliate codes as CSV": `${SELLERS}/affiliates.csv`,
  "affiliate days as CSV": `${SELLERS}/affiliates/days.csv`,
  "organizations as CSV": `${OPERATOR}/organizations.csv`,
  "products as CSV": `${OPERATOR}/products.csv`,
  "agent calls as CSV": `${OPERATOR}/calls.csv`,
  "audit trail as CSV": `${OPERATOR}/audit.csv`,
}
