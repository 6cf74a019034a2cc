import { accountRoutes } from "./account/account.tsx"
import { activityRoutes } from "./activity/page.tsx"
import { affiliateRoutes } from "./affiliates/pages.tsx"
import { agentKeyRoutes } from "./agent-sales/key.tsx"
import { agentKeysRoutes } from "./agent-sales/keys.tsx"
import { listedRoutes } from "./agent-sales/listed.tsx"
import { openingRoutes } from "./agent-sales/opening.tsx"
import { salesRoutes } from "./agent-sales/overview.tsx"
import { requestRoutes } from "./agent-sales/request.tsx"
import { requestsRoutes } from "./agent-sales/requests.tsx"
import { archiveRoutes } from "./campaigns/archive.tsx"
import { campaignRoutes } from "./campaigns/campaign.tsx"
import { campaignFormRoutes } from "./campaigns/campaign-form.tsx"
import { campaignsRoutes } from "./campaigns/campaigns.tsx"
import { lineRoutes } from "./campaigns/line.tsx"
import { lineFormRoutes } from "./campaigns/line-form.tsx"
import { withdrawReportRoutes } from "./campaigns/line-history.tsx"
import { shareRoutes } from "./campaigns/share.tsx"
import { sharedRoutes } from "./campaigns/shared.tsx"
import type { Route } from "./guards.ts"
import { firstRunRoutes } from "./home/first-run.tsx"
import { homeRoutes } from "./home/page.tsx"
import { onceRoutes } from "./one-time-secret.tsx"
import { auditRoutes } from "./operator/audit.tsx"
import { formatRoutes } from "./operator/catalogue/formats.tsx"
import { productRoutes } from "./operator/catalogue/products.tsx"
import { organizationRoutes } from "./operator/organizations.tsx"
import { sellersRoutes } from "./operator/sellers.tsx"
import { systemRoutes } from "./operator/system.tsx"
import { userRoutes } from "./operator/users.tsx"
import { orderFormRoutes } from "./order/form-page.tsx"
import { orderRoutes } from "./order/order-page.tsx"
import { keyRoutes } from "./organization/keys.tsx"
import { memberRoutes } from "./organization/members.tsx"
import { settingsRoutes } from "./organization/settings.tsx"
import { answerRoutes } from "./sale/answer.tsx"
import { monthRoutes } from "./sale/month.tsx"
import { orderPageRoutes } from "./sale/order.tsx"
import { orderLinkRoutes } from "./sale/order-links.tsx"
import { ordersRoutes } from "./sale/orders.tsx"
import { statementRoutes } from "./sale/statement.tsx"
import { searchRoutes } from "./search.tsx"
import { forgottenRoutes } from "./sign-in/forgotten.tsx"
import { linkRoutes } from "./sign-in/links.tsx"
import { signInRoutes } from "./sign-in/sign-in.tsx"
import { totalsRoutes } from "./totals/grid.tsx"
import { receiptRoutes } from "./totals/receipt.tsx"
import { uploadRoutes } from "./upload/routes.tsx"

/** Every page of the app, with who may use it. */
export const routes: readonly Route[] = [
  ...firstRunRoutes,
  ...homeRoutes,
  ...signInRoutes,
  ...linkRoutes,
  ...forgottenRoutes,
  ...accountRoutes,
  ...onceRoutes,
  ...campaignsRoutes,
  ...searchRoutes,
  ...campaignRoutes,
  ...campaignFormRoutes,
  ...lineRoutes,
  ...withdrawReportRoutes,
  ...archiveRoutes,
  ...lineFormRoutes,
  ...totalsRoutes,
  ...receiptRoutes,
  ...uploadRoutes,
  ...affiliateRoutes,
  ...activityRoutes,
  ...shareRoutes,
  ...sharedRoutes,
  ...ordersRoutes,
  ...orderLinkRoutes,
  ...orderPageRoutes,
  ...answerRoutes,
  ...statementRoutes,
  ...monthRoutes,
  ...orderFormRoutes,
  ...orderRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...settingsRoutes,
  ...sellersRoutes,
  ...organizationRoutes,
  ...userRoutes,
  ...productRoutes,
  ...formatRoutes,
  ...salesRoutes,
  ...listedRoutes,
  ...agentKeysRoutes,
  ...agentKeyRoutes,
  ...openingRoutes,
  ...requestsRoutes,
  ...requestRoutes,
  ...auditRoutes,
  ...systemRoutes,
]
