/** Facts about the installation, and choices made in the app. Beside them, for engines and checks alone: catalogue_revision, restorations, writes_tried. */
export type StoredSettingName =
  | "address" // where the server last listened, so that other commands can print links to it
  | "local_address" // the same on this machine, for as long as there is no certificate
  | "agent_address" // the same for the sales agent
  | "last_backup" // the result of the last scheduled backup
  | "last_restore" // the same of the last backup that was restored from the app
  | "backup_schedule" // when to make them
  | "served_with" // the settings that the server was last started with
  | "versions_run" // the versions of the program that served from this database
  | "alert_channels" // where its alerts go, without secrets
  | "alert_to" // the address that was chosen for them in the app
  | "alert_kinds" // which causes somebody wants to hear of
  | "alert_disk_mb" // how much disk may be free before that is one of them
  | "alerts_dismissed" // whether nobody wants to be reminded that there are none
  | "agent_delivery" // whether agents may read delivery: on or off
  | "agent_contact" // whom buyers ask
  | "adagents_domains" // which domains adagents.json says the agent sells for, with commas between them
  | "brand_name" // the company of brand.json
  | "call_log_days" // how long calls of the agent are kept
  | "settings_taken_over" // whether what earlier builds took from options was stored
  | "take_orders" // whether products can be ordered: on or off
  | "https" // the domain for HTTPS that was chosen in the app
  | "https_note" // how HTTPS stands, where the server does it by itself
  | "bucket_note" // how the copies of backups in a bucket stand
  | "mail_note" // how the last message went
  | "handed_over" // on which machine and when a server last stopped for another process that did not serve yet; empty since one does
  | "calls_cleaned_through" // up to which call the log of an earlier version was cleaned of credentials and got its columns; "all, with columns" when it is done
  | `currency_${string}` // in which the organization with this slug usually sells

/** Not readable by doors. browser_secret: signs what a browser knows of who has signed in with it. order_secret: makes links to order. bucket, mail, webhook: what other services want to know us by. */
export type SecretName = "browser_secret" | "order_secret" | ServiceSecret
type ServiceSecret = (typeof SERVICE_SECRETS)[number]

/** In no export: with it, a reader of the export could act for us elsewhere. */
export const SERVICE_SECRETS = ["bucket", "mail", "webhook"] as const
