// Words of the protocol as people say them.

const WORDS: Readonly<Record<string, string>> = {
  olv: "online video",
  ctv: "connected TV",
  linear_tv: "linear TV",
  dooh: "digital out of home",
  ooh: "out of home",
  ctr: "click rate",
  grps: "gross rating points",
  roas: "return on ad spend",
  cpm: "per 1,000 impressions",
  cpm_downloads: "per 1,000 downloads",
  vcpm: "per 1,000 viewable impressions",
  cpc: "per click",
  cpcv: "per completed view",
  cpa: "per action",
  dooh_metrics: "out-of-home figures",
  html: "HTML",
  html5: "HTML5",
  css: "CSS",
  url: "URL",
  vast: "VAST tag",
  daast: "DAAST tag",
  video_vast: "video by VAST tag",
  audio_daast: "audio by DAAST tag",
  zip: "ZIP file",
  pre_roll: "pre-roll",
  mid_roll: "mid-roll",
  post_roll: "post-roll",
  repeatable_group: "group that can repeat",
}

const FILE_TYPES = /^(?:jpe?g|png|gif|webp|svg|avif|tiff|pdf|eps|mp[34]|webm|mov|avi|mkv|aac|wav|ogg|flac|rgb|cmyk)$/

export const spoken = (word: string): string =>
  WORDS[word] ?? (FILE_TYPES.test(word) ? word.toUpperCase() : word.replaceAll("_", " "))
