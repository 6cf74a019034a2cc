import { type FormOf, formPage } from "./form.ts"
import { oncePage } from "./once.tsx"
import { campaignFile, campaignPage } from "./pages/campaigns/campaign.tsx"
import { campaignsFile, campaignsPage } from "./pages/campaigns/campaigns.tsx"
import { linePage } from "./pages/lines/line.tsx"
import { lineForm } from "./pages/lines/line-form.tsx"
import { withdrawForm } from "./pages/lines/withdraw.tsx"
import { codeForm } from "./pages/sign-in/code.tsx"
import { forgottenForm } from "./pages/sign-in/forgotten.tsx"
import { invitationForm, passwordLinkForm, setupForm } from "./pages/sign-in/links.tsx"
import { sendSignIn, showSignIn } from "./pages/sign-in/sign-in.tsx"
import { signOutHere } from "./pages/sign-in/sign-out.ts"
import { startPage } from "./pages/sign-in/start.ts"
import { totalsForm } from "./pages/totals/totals.tsx"
import { chooseTheme } from "./session/theme.ts"
import { admin, anyone, type Guard, member, type PageHandler, signedIn, type Visit } from "./visit.ts"

type Route = readonly [method: "GET" | "POST", path: string, handler: PageHandler<Visit>]

const HOME = "/app/o/:org"
const CAMPAIGN = `${HOME}/campaigns/:campaign`
const LINE = `${CAMPAIGN}/lines/:line`

/** Every page of the app, with its guard. */
export const ROUTES: readonly Route[] = [
  ["GET", "/app", signedIn(startPage)],
  ["GET", "/app/sign-in", anyone(showSignIn)],
  ["POST", "/app/sign-in", anyone(sendSignIn)],
  ...formRoutes("/app/sign-in/code", anyone, codeForm),
  ...formRoutes("/app/forgot-password", anyone, forgottenForm),
  ...formRoutes("/app/setup/:token", anyone, setupForm),
  ...formRoutes("/app/password/:token", anyone, passwordLinkForm),
  ...formRoutes("/app/invitation/:token", anyone, invitationForm),
  ["POST", "/app/sign-out", anyone(signOutHere)],
  ["POST", "/app/theme", anyone(chooseTheme)],
  ["GET", "/app/once", signedIn(oncePage)],

  ["GET", `${HOME}/campaigns`, member(campaignsPage)],
  ["GET", `${HOME}/campaigns.csv`, member(campaignsFile)],
  ["GET", CAMPAIGN, member(campaignPage)],
  ["GET", `${CAMPAIGN}/lines.csv`, member(campaignFile)],
  ["GET", LINE, member(linePage)],
  ...formRoutes(`${LINE}/edit`, admin, lineForm),
  ...formRoutes(`${LINE}/reports/:report/withdraw`, member, withdrawForm),
  ...formRoutes(`${HOME}/totals`, member, totalsForm),
]

function formRoutes<V extends Visit, Target>(path: string, guard: Guard<V>, form: FormOf<V, Target>): Route[] {
  const { show, submit } = formPage(form)
  return [
    ["GET", path, guard(show)],
    ["POST", path, guard(submit)],
  ]
}
