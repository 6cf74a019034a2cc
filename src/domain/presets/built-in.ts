import type { Preset } from "./preset.ts"

/** The systems whose exports are known. None of this is guessed: the names of the columns are those in the documentation. */
export const PRESETS: readonly Preset[] = [
  {
    name: "google-ad-manager",
    title: "Google Ad Manager, report as CSV_DUMP",
    kind: "delivery",
    documentation: [
      "https://developers.google.com/ad-manager/api/reference/latest/ReportService.ExportFormat",
      "https://developers.google.com/ad-manager/api/reference/latest/ReportService.Column",
      "https://developers.google.com/ad-manager/api/reference/latest/ReportService.Dimension",
    ],
    columns: {
      "Dimension.LINE_ITEM_ID": "external_id",
      "Dimension.DATE": "as_of",
      "Column.AD_SERVER_IMPRESSIONS": "impressions",
    },
    rows: "daily",
    note: "A report by date and line item. Your line ID is the ID of the line item. Days are those of the network's time zone.",
  },
  {
    name: "op3",
    title: "OP3 (Open Podcast Prefix Project), downloads of a show",
    kind: "delivery",
    documentation: [
      "https://op3.dev/api/docs",
      "https://github.com/skymethod/op3/blob/master/worker/routes/api_query_downloads.ts",
    ],
    columns: { episodeId: "external_id", time: "as_of" },
    rows: "events",
    counts: "downloads",
    skip: [{ column: "episodeId", equals: [""] }],
    note: "The query downloads/show with format=tsv: each row is one download. Your line ID is the episode's ID in OP3.",
  },
  {
    name: "ghost",
    title: "Ghost, post analytics",
    kind: "delivery",
    documentation: [
      "https://ghost.org/help/post-analytics/",
      "https://github.com/TryGhost/Ghost/blob/main/ghost/posts-service/lib/PostsExporter.js",
    ],
    columns: { url: "external_id", opens: "impressions" },
    rows: "lifetime",
    skip: [
      { column: "opens", equals: [""] },
      { column: "status", equals: ["draft", "scheduled"] },
    ],
    note: "Opens of the newsletter count as impressions. Your line ID is the address of the post.",
  },
  {
    name: "awin",
    title: "Awin, transactions report",
    kind: "affiliate_metrics",
    documentation: ["https://help.awin.com/docs/understanding-the-data-fields-in-the-transactions-report"],
    columns: { publisher_id: "code", date: "date", sale_amount: "conversionValue" },
    rows: "events",
    counts: "conversions",
    skip: [{ column: "commission_status", equals: ["2", "declined"] }],
    note: "Each transaction is one conversion; declined ones do not count. The code is the partner's ID in Awin.",
  },
]
