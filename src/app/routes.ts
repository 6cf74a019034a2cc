import { type FormOf, formPage } from "./forms/form.ts"
import { oncePage } from "./forms/once.tsx"
import { chooseTheme } from "./menu/theme.ts"
import { accountPage, endOneSession, endOthers, nameForm, passwordForm } from "./pages/account/account.tsx"
import { twoFactorForm, twoFactorOffForm } from "./pages/account/two-factor.tsx"
import { activityPage } from "./pages/activity/activity.tsx"
import { affiliateDaysFile, affiliatesPage, newCodeForm } from "./pages/affiliates/affiliates.tsx"
import { codeForm as affiliateCodeForm, deleteCodeForm } from "./pages/affiliates/code.tsx"
import { archiveCampaignPost, campaignFile, campaignPage, deleteCampaignForm } from "./pages/campaigns/campaign.tsx"
import { campaignForm, newCampaignForm } from "./pages/campaigns/campaign-form.tsx"
import { campaignsFile, campaignsPage } from "./pages/campaigns/campaigns.tsx"
import { guidePage, guidesPage } from "./pages/guides/guides.tsx"
import { daysFile, withdrawForm } from "./pages/lines/history.tsx"
import { linePage } from "./pages/lines/line.tsx"
import { archiveLinePost, deleteLineForm, lineForm, newLineForm } from "./pages/lines/line-form.tsx"
import { agentSettingsForm } from "./pages/operator/agent/agent-settings.tsx"
import { buyerKeyPage, keyBuyerForm } from "./pages/operator/agent/buyer-key.tsx"
import { buyerKeysForm, revokeBuyerKeyForm } from "./pages/operator/agent/buyer-keys.tsx"
import {
  deleteFormatForm,
  formatForm,
  formatsPage,
  hideFormatForm,
  showFormatAgain,
} from "./pages/operator/agent/formats.tsx"
import { openingsForm } from "./pages/operator/agent/openings.tsx"
import { deleteProductForm, productForm } from "./pages/operator/agent/product.tsx"
import { ownProductsPage, productsPage } from "./pages/operator/agent/products.tsx"
import { requestPage } from "./pages/operator/agent/request.tsx"
import { requestsFile, requestsPage } from "./pages/operator/agent/requests.tsx"
import { changesPage } from "./pages/operator/changes.tsx"
import { organizationsForm, sellersPage } from "./pages/operator/sellers.tsx"
import { alertsForm, sendTestAlert } from "./pages/operator/system/alerts.tsx"
import {
  checkOne,
  downloadForm,
  fetchOne,
  makeBackup,
  restoreForm,
  uploadBackup,
} from "./pages/operator/system/backup-actions.tsx"
import { backupsForm } from "./pages/operator/system/backups.tsx"
import { bucketForm, bucketOffForm, testBucketNow } from "./pages/operator/system/bucket.tsx"
import { httpsForm, httpsOffForm } from "./pages/operator/system/https.tsx"
import { mailForm, mailOffForm, sendTestLetter } from "./pages/operator/system/mail.tsx"
import { systemPage } from "./pages/operator/system/system.tsx"
import { deleteUserForm, makePasswordLink, resetTwoFactorForm, userForm } from "./pages/operator/user.tsx"
import { usersForm } from "./pages/operator/users.tsx"
import { acceptForm, declineForm, orderPage } from "./pages/orders/order.tsx"
import { orderLogo } from "./pages/orders/order-facts.tsx"
import { orderForm } from "./pages/orders/order-form.tsx"
import { ordersFile, ordersPage } from "./pages/orders/orders.tsx"
import { ownOrderPage, withdrawOrderForm } from "./pages/orders/own-page.tsx"
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
import { revokeLinkForm, shareForm } from "./pages/share/share.tsx"
import { sharedFile, sharedLogo, sharedPage } from "./pages/share/shared.tsx"
import { forgottenForm, invitationForm, passwordLinkForm, setupForm } from "./pages/sign-in/links.tsx"
import { codeForm, sendSignIn, showSignIn, signOutHere, startPage } from "./pages/sign-in/sign-in.tsx"
import {
  cancelForm,
  markUnpaid,
  paidForm,
  statementFile,
  statementLogo,
  statementPage,
} from "./pages/statements/statement.tsx"
import { statementForm } from "./pages/statements/statement-form.tsx"
import { monthFile, statementsPage } from "./pages/statements/statements.tsx"
import { todayPage } from "./pages/today/today.tsx"
import { receiptPage, withdrawReceiptForm } from "./pages/totals/receipt.tsx"
import { totalsForm } from "./pages/totals/totals.tsx"
import { discardForm, forgetReading, withdrawUploadForm } from "./pages/upload/done-page.tsx"
import { namesForm } from "./pages/upload/names.tsx"
import { reportForm } from "./pages/upload/preview-page.tsx"
import { readingForm } from "./pages/upload/reading-page.tsx"
import { templateFile, uploadForm } from "./pages/upload/upload-page.tsx"
import { admin, anyone, type Guard, member, operator, type PageHandler, signedIn, type Visit } from "./visit.ts"

type Route = readonly [method: "GET" | "POST", path: string, handler: PageHandler<Visit>]

const HOME = "/app/o/:org"
const CAMPAIGN = `${HOME}/campaigns/:campaign`
const LINE = `${CAMPAIGN}/lines/:line`
const UPLOAD = `${HOME}/upload/:upload`
const STATEMENT = `${HOME}/statements/:statement`
const OPERATOR = "/app/operator"
const SYSTEM = `${OPERATOR}/system`
const BACKUPS = `${OPERATOR}/backups`

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

  ["GET", HOME, member(todayPage)],
  ["GET", `${HOME}/campaigns`, member(campaignsPage)],
  ["GET", `${HOME}/campaigns.csv`, member(campaignsFile)],
  ...formRoutes(`${HOME}/new-campaign`, admin, newCampaignForm),
  ["GET", CAMPAIGN, member(campaignPage)],
  ["GET", `${CAMPAIGN}/lines.csv`, member(campaignFile)],
  ...formRoutes(`${CAMPAIGN}/edit`, admin, campaignForm),
  ["POST", `${CAMPAIGN}/archive`, admin(archiveCampaignPost)],
  ...formRoutes(`${CAMPAIGN}/delete`, admin, deleteCampaignForm),
  ...formRoutes(`${CAMPAIGN}/share`, admin, shareForm),
  ...formRoutes(`${CAMPAIGN}/share/:link/revoke`, admin, revokeLinkForm),
  ...formRoutes(`${CAMPAIGN}/new-line`, admin, newLineForm),
  ["GET", LINE, member(linePage)],
  ["GET", `${LINE}/days.csv`, member(daysFile)],
  ...formRoutes(`${LINE}/edit`, admin, lineForm),
  ["POST", `${LINE}/archive`, admin(archiveLinePost)],
  ...formRoutes(`${LINE}/delete`, admin, deleteLineForm),
  ...formRoutes(`${LINE}/reports/:report/withdraw`, member, withdrawForm),
  ["GET", "/app/share/:token", anyone(sharedPage)],
  ["GET", "/app/share/:token/lines.csv", anyone(sharedFile)],
  ["GET", "/app/share/:token/logo", anyone(sharedLogo)],
  ...formRoutes(`${HOME}/totals`, member, totalsForm),
  ["GET", `${HOME}/totals/:receipt`, member(receiptPage)],
  ...formRoutes(`${HOME}/totals/:receipt/withdraw`, member, withdrawReceiptForm),
  ["GET", `${HOME}/feed-activity`, member(activityPage)],
  ["GET", `${HOME}/affiliates`, member(affiliatesPage)],
  ["GET", `${HOME}/affiliates/days.csv`, member(affiliateDaysFile)],
  ...formRoutes(`${HOME}/affiliates/new`, member, newCodeForm),
  ...formRoutes(`${HOME}/affiliates/:code`, member, affiliateCodeForm),
  ...formRoutes(`${HOME}/affiliates/:code/delete`, member, deleteCodeForm),

  ["GET", `${HOME}/orders`, member(ordersPage)],
  ["GET", `${HOME}/orders.csv`, member(ordersFile)],
  ["GET", `${HOME}/orders/:order`, member(orderPage)],
  ...formRoutes(`${HOME}/orders/:order/accept`, admin, acceptForm),
  ...formRoutes(`${HOME}/orders/:order/decline`, admin, declineForm),
  ...formRoutes("/order/:token", anyone, orderForm),
  ["GET", "/order/:token/logo", anyone(orderLogo)],
  ["GET", "/order/:token/:code", anyone(ownOrderPage)],
  ...formRoutes("/order/:token/:code/withdraw", anyone, withdrawOrderForm),
  ["GET", `${HOME}/statements`, member(statementsPage)],
  ["GET", `${HOME}/statements.csv`, member(monthFile)],
  ...formRoutes(`${HOME}/statements/new`, admin, statementForm),
  ["GET", STATEMENT, member(statementPage)],
  ["GET", `${STATEMENT}/lines.csv`, member(statementFile)],
  ["GET", `${STATEMENT}/logo`, member(statementLogo)],
  ...formRoutes(`${STATEMENT}/paid`, admin, paidForm),
  ["POST", `${STATEMENT}/unpaid`, admin(markUnpaid)],
  ...formRoutes(`${STATEMENT}/cancel`, admin, cancelForm),

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

  ["GET", SYSTEM, operator(systemPage)],
  ...formRoutes(`${SYSTEM}/https`, operator, httpsForm),
  ...formRoutes(`${SYSTEM}/https/off`, operator, httpsOffForm),
  ...formRoutes(`${SYSTEM}/mail`, operator, mailForm),
  ["POST", `${SYSTEM}/mail/test`, operator(sendTestLetter)],
  ...formRoutes(`${SYSTEM}/mail/off`, operator, mailOffForm),
  ...formRoutes(`${SYSTEM}/bucket`, operator, bucketForm),
  ["POST", `${SYSTEM}/bucket/test`, operator(testBucketNow)],
  ...formRoutes(`${SYSTEM}/bucket/off`, operator, bucketOffForm),
  ...formRoutes(`${SYSTEM}/alerts`, operator, alertsForm),
  ["POST", `${SYSTEM}/alerts/test`, operator(sendTestAlert)],
  ...formRoutes(BACKUPS, operator, backupsForm),
  ["POST", `${BACKUPS}/make`, operator(makeBackup)],
  ["POST", `${BACKUPS}/upload`, operator(uploadBackup)],
  ["POST", `${BACKUPS}/:backup/check`, operator(checkOne)],
  ["POST", `${BACKUPS}/:backup/fetch`, operator(fetchOne)],
  ...formRoutes(`${BACKUPS}/:backup/download`, operator, downloadForm),
  ...formRoutes(`${BACKUPS}/:backup/restore`, operator, restoreForm),

  ["GET", "/docs", anyone(guidesPage)],
  ["GET", "/docs/:guide", anyone(guidePage)],

  ["GET", `${HOME}/products`, admin(ownProductsPage)],
  ["GET", `${OPERATOR}/products`, operator(productsPage)],
  ...formRoutes(`${OPERATOR}/products/new`, operator, productForm),
  ...formRoutes(`${OPERATOR}/products/:product`, operator, productForm),
  ...formRoutes(`${OPERATOR}/products/:product/openings`, operator, openingsForm),
  ...formRoutes(`${OPERATOR}/products/:product/delete`, operator, deleteProductForm),
  ["GET", `${OPERATOR}/sellers`, operator(sellersPage)],
  ["GET", `${OPERATOR}/requests`, operator(requestsPage)],
  ["GET", `${OPERATOR}/requests.csv`, operator(requestsFile)],
  ["GET", `${OPERATOR}/requests/:request`, operator(requestPage)],
  ...formRoutes(`${OPERATOR}/buyer-keys`, operator, buyerKeysForm),
  ["GET", `${OPERATOR}/buyer-keys/:key`, operator(buyerKeyPage)],
  ...formRoutes(`${OPERATOR}/buyer-keys/:key/buyer`, operator, keyBuyerForm),
  ...formRoutes(`${OPERATOR}/buyer-keys/:key/revoke`, operator, revokeBuyerKeyForm),
  ...formRoutes(`${OPERATOR}/agent-settings`, operator, agentSettingsForm),
  ["GET", `${OPERATOR}/formats`, operator(formatsPage)],
  ...formRoutes(`${OPERATOR}/formats/new`, operator, formatForm),
  ...formRoutes(`${OPERATOR}/formats/:format`, operator, formatForm),
  ...formRoutes(`${OPERATOR}/formats/:format/hide`, operator, hideFormatForm),
  ...formRoutes(`${OPERATOR}/formats/:format/delete`, operator, deleteFormatForm),
  ["POST", `${OPERATOR}/formats/:format/show`, operator(showFormatAgain)],
]

function formRoutes<V extends Visit, Target>(path: string, guard: Guard<V>, form: FormOf<V, Target>): Route[] {
  const { show, submit } = formPage(form)
  return [
    ["GET", path, guard(show)],
    ["POST", path, guard(submit)],
  ]
}
