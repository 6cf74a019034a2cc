import { activityRoutes } from "./activity/page.tsx"
import { affiliateRoutes } from "./affiliates/pages.tsx"
import { demandRoutes } from "./demand/page.tsx"
import { themeRoutes } from "./frame/save-theme.ts"
import { homeRoutes } from "./home/page.tsx"
import { archiveRoutes } from "./manage/archive.tsx"
import { sessionRoutes } from "./manage/sessions.tsx"
import { withdrawReportRoutes } from "./manage/withdraw-report.tsx"
import { operatorRoutes } from "./operator/routes.ts"
import { accountRoutes } from "./pages/account.tsx"
import { campaignRoutes } from "./pages/campaign.tsx"
import { campaignFormRoutes } from "./pages/campaign-form.tsx"
import { campaignsRoutes } from "./pages/campaigns.tsx"
import { invitationRoutes } from "./pages/invitations.tsx"
import { keyRoutes } from "./pages/keys.tsx"
import { lineRoutes } from "./pages/line.tsx"
import { lineFormRoutes } from "./pages/line-form.tsx"
import { linkRoutes } from "./pages/links.tsx"
import { memberRoutes } from "./pages/members.tsx"
import { settingsRoutes } from "./pages/settings.tsx"
import { shareRoutes } from "./pages/share.tsx"
import { sharedRoutes } from "./pages/shared.tsx"
import { signInRoutes } from "./pages/sign-in.tsx"
import { startRoutes } from "./pages/start.tsx"
import { twoFactorRoutes } from "./pages/two-factor.tsx"
import { uploadRoutes } from "./pages/upload.tsx"
import type { Route } from "./route.ts"

/** Every page of the app, with who may use it. */
export const routes: readonly Route[] = [
  ...startRoutes,
  ...homeRoutes,
  ...themeRoutes,
  ...signInRoutes,
  ...linkRoutes,
  ...invitationRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...twoFactorRoutes,
  ...campaignsRoutes,
  ...campaignRoutes,
  ...campaignFormRoutes,
  ...lineRoutes,
  ...withdrawReportRoutes,
  ...archiveRoutes,
  ...lineFormRoutes,
  ...uploadRoutes,
  ...affiliateRoutes,
  ...activityRoutes,
  ...shareRoutes,
  ...sharedRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...settingsRoutes,
  ...operatorRoutes,
  ...demandRoutes,
]
