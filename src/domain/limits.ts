// Every limit that a caller can hit, with its unit in the name and its source beside it.

export const DELIVERY_ITEMS_MIN = 1 // specification, ingest: 1 to 500 items
export const DELIVERY_ITEMS_MAX = 500 // specification, ingest, limits
export const AFFILIATE_ROWS_MAX = 1_000 // specification, ingest, limits: each affiliate endpoint
export const INGEST_REQUESTS_PER_MINUTE = 60 // specification, ingest, limits: each key, and each feed on its own
export const AGENT_CALLS_ANONYMOUS_PER_MINUTE = 30 // specification, agent, limits: each address
export const AGENT_CALLS_KEYED_PER_MINUTE = 300 // specification, agent, limits: each key
export const AGENT_OTHER_METHODS_FACTOR = 10 // decided: all methods other than tools/call share ten times the limit
export const WRONG_KEYS_PER_MINUTE = 60 // ours: per address; a valid key always passes
export const AGENT_VALUES_ANONYMOUS_MAX = 5_000 // ours: reading a larger message takes more than 20 ms
export const AGENT_VALUES_KEYED_MAX = 50_000 // ours: ten times as many with a key
export const RATE_WINDOW_SECONDS = 60 // specification: limits are stated per minute

export const BODY_BYTES_MAX = 1_048_576 // decided: 1 MiB, a setting
export const JSON_LEVELS_MAX = 64 // ours: real bodies have fewer than 20
export const HELD_BYTES_MAX = 268_435_456 // ours: 256 MiB of bodies, unread answers and requests (256 KiB each) at a time, then 503
export const REQUESTS_AT_A_TIME_MAX = 1_024 // ours: strangers' are answered within 250 ms, then 503
export const HELD_PART_FOR_STRANGERS = 1 / 2 // ours: without a valid key or session, together
export const HELD_PART_FOR_SLOW_STRANGERS = 1 / 4 // ours: of that, for bodies that do not arrive and answers that are not read
export const HELD_PART_PER_CALLER = 1 / 4 // ours: of a key or a session
export const UNREAD_BYTES_MAX = 1_310_720 // the runtime's: what it holds of a body that nobody reads yet
export const STREAMED_BYTES = 4_194_304 // measured: what a file takes in memory while it arrives, whatever its size
export const BODY_SECONDS_MAX = 30 // ours: a slower body gets 408
export const ANSWER_SECONDS_MAX = 35 // ours: then the request gets 503

export const FORM_FIELDS_MAX = 1_000 // decided: fields of a form in the app
export const KEPT_FORM_BYTES_MAX = 65_536 // decided: a form that is kept while somebody signs in

export const ORDER_BYTES_MAX = 16_384 // decided: the form of a stranger with a link
export const ORDERS_PER_LINK_AND_HOUR_MAX = 5 // decided
export const ORDERS_PER_KEY_AND_HOUR_MAX = 20 // decided: of all links of a key, also those that were withdrawn
export const ORDERS_OPEN_PER_KEY_MAX = 20 // decided: of a key, or of a link that was made by hand

export const UPLOAD_MEBIBYTES = 20 // decided: a file in the app or from a program
export const UPLOAD_BYTES_MAX = UPLOAD_MEBIBYTES * 1_048_576
export const UPLOAD_ROWS_MAX = 50_000 // decided: rows of such a file
export const CSV_COLUMNS_MAX = 200 // ours: columns of any CSV file; a page lists them all
export const CSV_CELL_CHARACTERS_MAX = 32_767 // ours: what a cell of a spreadsheet can hold
export const CSV_ROW_CHARACTERS_MAX = 1_048_576 // ours: a quotation mark that is never closed would take the rest of the file
export const UPLOAD_DAYS = 7 // decided: how long a file is kept that nobody decides about, and the text of one that is reported
export const UPLOADS_KEPT_MAX = 50 // ours: files of an organization whose text is kept; those that were reported give way
export const UPLOADS_KEPT_BYTES_MAX = 10 * UPLOAD_BYTES_MAX // ours: and how much they take together
export const UPLOADS_REMEMBERED_MAX = 1_000 // ours: files of an organization that are listed after they are reported
export const UPLOAD_REMEMBERED_DAYS = 90 // ours: and how long
export const UPLOAD_BYTES_PER_SECOND_MIN = 10_000 // ours: a file that arrives more slowly for 30 s gets 408

export const AFFILIATE_CODE_CHARACTERS_MAX = 128 // decided
export const AFFILIATE_SLUG_CHARACTERS_MAX = 256 // decided
export const EXTERNAL_ID_CHARACTERS_MAX = 128 // decided: a seller's own id of a line
export const CONVERSION_VALUE_MAX = 9_000_000_000 // decided: its millionths still fit a whole number exactly
export const CONVERSION_VALUE_DECIMALS_MAX = 6 // decided
export const WHOLE_NUMBER_MAX = Number.MAX_SAFE_INTEGER // decided: 2^53-1

export const CALL_LOG_DAYS = 30 // decided, unless somebody chose otherwise
export const DISK_FREE_MB_MIN = 1_024 // ours, likewise: less is an alert
export const CALLS_KEPT_MAX = 100_000 // ours

export const KEY_RANDOM_CHARACTERS = 32 // decided
export const KEY_CHECKSUM_CHARACTERS = 6 // decided
export const KEY_PREFIX_CHARACTERS = 12 // decided: what lists show and the database keeps

export const CALLERS_REMEMBERED_MAX = 100_000 // ours: windows of a limiter before new callers share
export const CALLERS_SHARED_WINDOWS = 1_024 // ours: windows that new callers then share

export const PASSWORD_CHARACTERS_MIN = 12 // ours: length matters more than special characters
export const PASSWORD_CHARACTERS_MAX = 500 // ours: hashing long texts would be an easy attack

// Hashing a password takes 64 MiB and a tenth of a second of a core.
export const HASHES_AT_A_TIME_MAX = 4 // ours: and never more than half of the cores
export const HASHES_WAITING_MAX = 32 // ours: about three seconds of work on a small machine, then 503
export const HASHES_WAITING_SECONDS_MAX = 5 // ours: the longest wait on a busy machine
export const HASHES_WAITING_PER_ADDRESS_MAX = 8 // ours: one address cannot take all places
export const HASHES_RETRY_AFTER_SECONDS = 3 // ours: by then the queue has been served
