import { type FormOf, formPage } from "./form.ts"
import { oncePage } from "./once.tsx"
import { accountPage, endOneSession, endOthers, nameForm, passwordForm } from "./pages/account/account.tsx"
import { twoFactorForm, twoFactorOffForm } from "./pages/account/two-factor.tsx"
import { campaignFile, campaignPage } from "./pages/campaigns/campaign.tsx"
import { campaignsFile, campaignsPage } from "./pages/campaigns/campaigns.tsx"
import { linePage } from "./pages/lines/line.tsx"
import { lineForm } from "./pages/lines/line-form.tsx"
import { withdrawForm } from "./pages/lines/withdraw.tsx"
import { changesPage } from "./pages/operator/changes.tsx"
import { organizationsForm } from "./pages/operator/organizations.tsx"
import { deleteUserForm, makePasswordLink, resetTwoFactorForm, userForm } from "./pages/operator/user.tsx"
import { usersForm } from "./pages/operator/users.tsx"
import { keysForm, revokeKeyForm } from "./pages/organization/keys.tsx"
import { peopleForm, removeMemberForm, setMemberRole, withdrawInvite } from "./pages/organization/people.tsx"
import { searchPage } from "./pages/organization/search.tsx"
import { setUpForm, setUpPage } from "./pages/organization/set-up.tsx"
import {
  deleteOrganizationForm,
  logoForm,
  logoPicture,
  removeLogoHere,
  settingsForm,
} from "./pages/organization/settings.tsx"
import { forgottenForm } from "./pages/sign-in/forgotten.tsx"
import { invitationForm, passwordLinkForm, setupForm } from "./pages/sign-in/links.tsx"
import { codeForm, sendSignIn, showSignIn } from "./pages/sign-in/sign-in.tsx"
import { signOutHere } from "./pages/sign-in/sign-out.ts"
import { startPage } from "./pages/sign-in/start.ts"
import { totalsForm } from "./pages/totals/totals.tsx"
import { discardForm, forgetReading, withdrawUploadForm } from "./pages/upload/done-page.tsx"
import { namesForm } from "./pages/upload/names.tsx"
import { reportForm } from "./pages/upload/preview-page.tsx"
import { readingForm } from "./pages/upload/reading-page.tsx"
import { templateFile, uploadForm } from "./pages/upload/upload-page.tsx"
import { chooseTheme } from "./session/theme.ts"
import { admin, anyone, type Guard, member, operator, type PageHandler, signedIn, type Visit } from "./visit.ts"

export type Route = readonly [method: "GET" | "POST", path: string, handler: PageHandler<Visit>]

const HOME = "/app/o/:org"
const CAMPAIGN = `${HOME}/campaigns/:campaign`
const LINE = `${CAMPAIGN}/lines/:line`
const UPLOAD = `${HOME}/upload/:upload`
const OPERATOR = "/app/operator"

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

  ["GET", "/app/account", signedIn(accountPage)],
  ...formRoutes("/app/account/name", signedIn, nameForm),
  ...formRoutes("/app/account/password", signedIn, passwordForm),
  ...formRoutes("/app/account/two-factor", signedIn, twoFactorForm),
  ...formRoutes("/app/account/two-factor/off", signedIn, twoFactorOffForm),
  ["POST", "/app/account/sessions/:session/end", signedIn(endOneSession)],
  ["POST", "/app/account/sign-out-others", signedIn(endOthers)],

  ...formRoutes("/app/set-up", operator, setUpForm),
  ["GET", `${HOME}/set-up`, admin(setUpPage)],
  ["GET", `${HOME}/search`, member(searchPage)],
  ...formRoutes(`${HOME}/people`, admin, peopleForm),
  ["POST", `${HOME}/people/:user/role`, admin(setMemberRole)],
  ...formRoutes(`${HOME}/people/:user/remove`, admin, removeMemberForm),
  ["POST", `${HOME}/people/invitations/:invitation/withdraw`, admin(withdrawInvite)],
  ...formRoutes(`${HOME}/keys`, admin, keysForm),
  ...formRoutes(`${HOME}/keys/:key/revoke`, admin, revokeKeyForm),
  ...formRoutes(`${HOME}/settings`, admin, settingsForm),
  ...formRoutes(`${HOME}/settings/logo`, admin, logoForm),
  ["POST", `${HOME}/settings/logo/remove`, admin(removeLogoHere)],
  ...formRoutes(`${HOME}/settings/delete`, admin, deleteOrganizationForm),
  ["GET", `${HOME}/logo`, member(logoPicture)],

  ["GET", `${HOME}/campaigns`, member(campaignsPage)],
  ["GET", `${HOME}/campaigns.csv`, member(campaignsFile)],
  ["GET", CAMPAIGN, member(campaignPage)],
  ["GET", `${CAMPAIGN}/lines.csv`, member(campaignFile)],
  ["GET", LINE, member(linePage)],
  ...formRoutes(`${LINE}/edit`, admin, lineForm),
  ...formRoutes(`${LINE}/reports/:report/withdraw`, member, withdrawForm),
  ...formRoutes(`${HOME}/totals`, member, totalsForm),

  ...formRoutes(`${HOME}/upload`, member, uploadForm),
  ["GET", `${HOME}/upload/template/:kind`, member(templateFile)],
  ...formRoutes(UPLOAD, member, reportForm),
  ...formRoutes(`${UPLOAD}/reading`, member, readingForm),
  ...formRoutes(`${UPLOAD}/names`, member, namesForm),
  ["POST", `${UPLOAD}/forget`, member(forgetReading)],
  ...formRoutes(`${UPLOAD}/discard`, member, discardForm),
  ...formRoutes(`${UPLOAD}/withdraw`, member, withdrawUploadForm),

  ...formRoutes(`${OPERATOR}/organizations`, operator, organizationsForm),
  ...formRoutes(`${OPERATOR}/users`, operator, usersForm),
  ...formRoutes(`${OPERATOR}/users/:user`, operator, userForm),
  ["POST", `${OPERATOR}/users/:user/link`, operator(makePasswordLink)],
  ...formRoutes(`${OPERATOR}/users/:user/reset-two-factor`, operator, resetTwoFactorForm),
  ...formRoutes(`${OPERATOR}/users/:user/delete`, operator, deleteUserForm),
  ["GET", `${OPERATOR}/changes`, operator(changesPage)],
]

function formRoutes<V extends Visit, Target>(path: string, guard: Guard<V>, form: FormOf<V, Target>): Route[] {
  const { show, submit } = formPage(form)
  return [
    ["GET", path, guard(show)],
    ["POST", path, guard(submit)],
  ]
}
