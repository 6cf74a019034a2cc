import type { FormOf } from "./forms/form.ts"
import { formPage } from "./forms/form-page.ts"
import { oncePage } from "./forms/once.tsx"
import { chooseTheme } from "./menu/menu.tsx"
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
import { formatForm, formatsPage, removeFormatForm, showFormatAgain } from "./pages/operator/agent/formats.tsx"
import { deleteProductForm, openingsForm, productForm } from "./pages/operator/agent/product.tsx"
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
import { bucketForm, bucketOffForm } from "./pages/operator/system/bucket.tsx"
import { httpsForm, httpsOffForm } from "./pages/operator/system/https.tsx"
import { mailForm, mailOffForm } from "./pages/operator/system/mail.tsx"
import { systemPage } from "./pages/operator/system/system.tsx"
import { deleteUserForm, makePasswordLink, resetTwoFactorForm, userForm, usersPage } from "./pages/operator/users.tsx"
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
import { codeForm, signInForm, signOutHere, startPage } from "./pages/sign-in/sign-in.tsx"
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

/** Every page of the app, with its guard. */
export const ROUTES: readonly Route[] = [
  ["GET", "/app", signedIn(startPage)],
  ...formRoutes("/app/sign-in", anyone, signInForm),
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
  ["GET", "/app/o/:org/set-up", admin(setUpPage)],
  ["GET", "/app/o/:org/search", member(searchPage)],
  ...formRoutes("/app/o/:org/people", admin, peopleForm),
  ["POST", "/app/o/:org/people/:user/role", admin(setMemberRole)],
  ...formRoutes("/app/o/:org/people/:user/remove", admin, removeMemberForm),
  ["POST", "/app/o/:org/people/invitations/:invitation/withdraw", admin(withdrawInvite)],
  ...formRoutes("/app/o/:org/keys", admin, keysForm),
  ...formRoutes("/app/o/:org/keys/:key/revoke", admin, revokeKeyForm),
  ...formRoutes("/app/o/:org/settings", admin, settingsForm),
  ...formRoutes("/app/o/:org/settings/logo", admin, logoForm),
  ["POST", "/app/o/:org/settings/logo/remove", admin(removeLogoHere)],
  ...formRoutes("/app/o/:org/settings/delete", admin, deleteOrganizationForm),
  ["GET", "/app/o/:org/logo", member(logoPicture)],

  ["GET", "/app/o/:org", member(todayPage)],
  ["GET", "/app/o/:org/campaigns", member(campaignsPage)],
  ["GET", "/app/o/:org/campaigns.csv", member(campaignsFile)],
  ...formRoutes("/app/o/:org/new-campaign", admin, newCampaignForm),
  ["GET", "/app/o/:org/campaigns/:campaign", member(campaignPage)],
  ["GET", "/app/o/:org/campaigns/:campaign/lines.csv", member(campaignFile)],
  ...formRoutes("/app/o/:org/campaigns/:campaign/edit", admin, campaignForm),
  ["POST", "/app/o/:org/campaigns/:campaign/archive", admin(archiveCampaignPost)],
  ...formRoutes("/app/o/:org/campaigns/:campaign/delete", admin, deleteCampaignForm),
  ...formRoutes("/app/o/:org/campaigns/:campaign/share", admin, shareForm),
  ...formRoutes("/app/o/:org/campaigns/:campaign/share/:link/revoke", admin, revokeLinkForm),
  ...formRoutes("/app/o/:org/campaigns/:campaign/new-line", admin, newLineForm),
  ["GET", "/app/o/:org/campaigns/:campaign/lines/:line", member(linePage)],
  ["GET", "/app/o/:org/campaigns/:campaign/lines/:line/days.csv", member(daysFile)],
  ...formRoutes("/app/o/:org/campaigns/:campaign/lines/:line/edit", admin, lineForm),
  ["POST", "/app/o/:org/campaigns/:campaign/lines/:line/archive", admin(archiveLinePost)],
  ...formRoutes("/app/o/:org/campaigns/:campaign/lines/:line/delete", admin, deleteLineForm),
  ...formRoutes("/app/o/:org/campaigns/:campaign/lines/:line/reports/:report/withdraw", member, withdrawForm),
  ["GET", "/app/share/:token", anyone(sharedPage)],
  ["GET", "/app/share/:token/lines.csv", anyone(sharedFile)],
  ["GET", "/app/share/:token/logo", anyone(sharedLogo)],
  ...formRoutes("/app/o/:org/totals", member, totalsForm),
  ["GET", "/app/o/:org/totals/:receipt", member(receiptPage)],
  ...formRoutes("/app/o/:org/totals/:receipt/withdraw", member, withdrawReceiptForm),
  ["GET", "/app/o/:org/feed-activity", member(activityPage)],
  ["GET", "/app/o/:org/affiliates", member(affiliatesPage)],
  ["GET", "/app/o/:org/affiliates/days.csv", member(affiliateDaysFile)],
  ...formRoutes("/app/o/:org/affiliates/new", member, newCodeForm),
  ...formRoutes("/app/o/:org/affiliates/:code", member, affiliateCodeForm),
  ...formRoutes("/app/o/:org/affiliates/:code/delete", member, deleteCodeForm),

  ["GET", "/app/o/:org/orders", member(ordersPage)],
  ["GET", "/app/o/:org/orders.csv", member(ordersFile)],
  ["GET", "/app/o/:org/orders/:order", member(orderPage)],
  ...formRoutes("/app/o/:org/orders/:order/accept", admin, acceptForm),
  ...formRoutes("/app/o/:org/orders/:order/decline", admin, declineForm),
  ...formRoutes("/order/:token", anyone, orderForm),
  ["GET", "/order/:token/logo", anyone(orderLogo)],
  ["GET", "/order/:token/:code", anyone(ownOrderPage)],
  ...formRoutes("/order/:token/:code/withdraw", anyone, withdrawOrderForm),
  ["GET", "/app/o/:org/statements", member(statementsPage)],
  ["GET", "/app/o/:org/statements.csv", member(monthFile)],
  ...formRoutes("/app/o/:org/statements/new", admin, statementForm),
  ["GET", "/app/o/:org/statements/:statement", member(statementPage)],
  ["GET", "/app/o/:org/statements/:statement/lines.csv", member(statementFile)],
  ["GET", "/app/o/:org/statements/:statement/logo", member(statementLogo)],
  ...formRoutes("/app/o/:org/statements/:statement/paid", admin, paidForm),
  ["POST", "/app/o/:org/statements/:statement/unpaid", admin(markUnpaid)],
  ...formRoutes("/app/o/:org/statements/:statement/cancel", admin, cancelForm),

  ...formRoutes("/app/o/:org/upload", member, uploadForm),
  ["GET", "/app/o/:org/upload/template/:kind", member(templateFile)],
  ...formRoutes("/app/o/:org/upload/:upload", member, reportForm),
  ...formRoutes("/app/o/:org/upload/:upload/reading", member, readingForm),
  ...formRoutes("/app/o/:org/upload/:upload/names", member, namesForm),
  ["POST", "/app/o/:org/upload/:upload/forget", member(forgetReading)],
  ...formRoutes("/app/o/:org/upload/:upload/discard", member, discardForm),
  ...formRoutes("/app/o/:org/upload/:upload/withdraw", member, withdrawUploadForm),

  ...formRoutes("/app/operator/organizations", operator, organizationsForm),
  ["GET", "/app/operator/users", operator(usersPage)],
  ...formRoutes("/app/operator/users/:user", operator, userForm),
  ["POST", "/app/operator/users/:user/link", operator(makePasswordLink)],
  ...formRoutes("/app/operator/users/:user/reset-two-factor", operator, resetTwoFactorForm),
  ...formRoutes("/app/operator/users/:user/delete", operator, deleteUserForm),
  ["GET", "/app/operator/changes", operator(changesPage)],

  ["GET", "/app/operator/system", operator(systemPage)],
  ...formRoutes("/app/operator/system/https", operator, httpsForm),
  ...formRoutes("/app/operator/system/https/off", operator, httpsOffForm),
  ...formRoutes("/app/operator/system/mail", operator, mailForm),
  ...formRoutes("/app/operator/system/mail/off", operator, mailOffForm),
  ...formRoutes("/app/operator/system/bucket", operator, bucketForm),
  ...formRoutes("/app/operator/system/bucket/off", operator, bucketOffForm),
  ...formRoutes("/app/operator/system/alerts", operator, alertsForm),
  ["POST", "/app/operator/system/alerts/test", operator(sendTestAlert)],
  ...formRoutes("/app/operator/backups", operator, backupsForm),
  ["POST", "/app/operator/backups/make", operator(makeBackup)],
  ["POST", "/app/operator/backups/upload", operator(uploadBackup)],
  ["POST", "/app/operator/backups/:backup/check", operator(checkOne)],
  ["POST", "/app/operator/backups/:backup/fetch", operator(fetchOne)],
  ...formRoutes("/app/operator/backups/:backup/download", operator, downloadForm),
  ...formRoutes("/app/operator/backups/:backup/restore", operator, restoreForm),

  ["GET", "/docs", anyone(guidesPage)],
  ["GET", "/docs/:guide", anyone(guidePage)],

  ["GET", "/app/o/:org/products", admin(ownProductsPage)],
  ["GET", "/app/operator/products", operator(productsPage)],
  ...formRoutes("/app/operator/products/new", operator, productForm),
  ...formRoutes("/app/operator/products/:product", operator, productForm),
  ...formRoutes("/app/operator/products/:product/openings", operator, openingsForm),
  ...formRoutes("/app/operator/products/:product/delete", operator, deleteProductForm),
  ["GET", "/app/operator/sellers", operator(sellersPage)],
  ["GET", "/app/operator/requests", operator(requestsPage)],
  ["GET", "/app/operator/requests.csv", operator(requestsFile)],
  ["GET", "/app/operator/requests/:request", operator(requestPage)],
  ...formRoutes("/app/operator/buyer-keys", operator, buyerKeysForm),
  ["GET", "/app/operator/buyer-keys/:key", operator(buyerKeyPage)],
  ...formRoutes("/app/operator/buyer-keys/:key/buyer", operator, keyBuyerForm),
  ...formRoutes("/app/operator/buyer-keys/:key/revoke", operator, revokeBuyerKeyForm),
  ...formRoutes("/app/operator/agent-settings", operator, agentSettingsForm),
  ["GET", "/app/operator/formats", operator(formatsPage)],
  ...formRoutes("/app/operator/formats/new", operator, formatForm),
  ...formRoutes("/app/operator/formats/:format", operator, formatForm),
  ...formRoutes("/app/operator/formats/:format/remove", operator, removeFormatForm),
  ["POST", "/app/operator/formats/:format/show", operator(showFormatAgain)],
]

function formRoutes<V extends Visit, Target>(path: string, guard: Guard<V>, form: FormOf<V, Target>): Route[] {
  const { show, submit } = formPage(form)
  return [
    ["GET", path, guard(show)],
    ["POST", path, guard(submit)],
  ]
}
