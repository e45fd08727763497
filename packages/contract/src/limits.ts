// The numbers of section 9 of the specification, and of decisions. Durations are in seconds unless their name says otherwise.

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const NAME_LENGTH = { min: 2, max: 100 } as const
export const EMAIL_LENGTH_MAX = 254
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const
export const ADMIN_PASSWORD_LENGTH = { min: 8, max: 128 } as const
export const PHONE_INPUT_LENGTH = { min: 10, max: 15 } as const
export const BIO_LENGTH_MAX = 1000
export const LINK_LENGTH_MAX = 2048
export const REASON_LENGTH_MAX = 500

export const TEAM_SIZE = { min: 1, max: 11 } as const
export const TEAM_SIZE_CHOICE = { min: 2, max: 10, recommended: 5 } as const
export const MAX_MEMBERS_DEFAULT = 5
export const TEAM_NAME_LENGTH = { min: 3, max: 40 } as const
export const TEAM_DESCRIPTION_LENGTH = { min: 10, max: 1000 } as const
/** Teams that one member may create per day. */
export const TEAMS_PER_DAY = 50
/** Teams that one clean-up deletes at most: within the time that a client waits. */
export const CLEANED_UP_TEAMS_MAX = 10_000
/** Joins of one member: each one and each leave notifies the team. */
export const TEAM_JOINS = { perDay: 50, perTeamAndHour: 5 } as const
export const TEAM_CARD_AVATARS = 3
export const ROLES_NEEDED_MAX = 29

export const TITLE_LENGTH_MAX = 120
export const CHALLENGE_DESCRIPTION_LENGTH_MAX = 5000
export const LIST_ITEM_LENGTH_MAX = 500
export const REQUIREMENTS_MAX = 50
export const RESOURCES_MAX = 20
export const TAGS_MAX = 20
export const CHALLENGE_POINTS = { min: 1, max: 1000, default: 100 } as const
export const MAX_SUBMISSIONS = { min: 1, max: 5, default: 1 } as const
/** Seconds a new challenge's deadline must lie ahead. */
export const DEADLINE_LEAD = 2 * MINUTE
export const DEADLINE_NEAR_DAYS = 3
export const REQUIREMENTS_ON_CARD = 2
/** Seconds before a deadline at which teams are reminded. */
export const REMINDER_STEPS = { '3-days': 3 * DAY, '24-hours': DAY, '2-hours': 2 * HOUR } as const
/** Seconds a linked challenge card stays highlighted. */
export const HIGHLIGHT_SECONDS = 3

/** Characters of the privacy or terms page in one language: fits a JSON body. */
export const PAGE_TEXT_LENGTH_MAX = 20_000

export const SCORE = { min: 1, max: 100 } as const
export const FEEDBACK_LENGTH_MAX = 5000
export const NOTES_LENGTH_MAX = 2000
export const SEARCH_LENGTH_MAX = 100
/** Searches up to this length match beginnings of words, longer ones any part of the text. */
export const SEARCH_PREFIX_LETTERS = 2

export const UPLOAD_BYTES_MAX = 10_485_760
export const UPLOAD_FILES_MAX = 5
/** Limits memory: a small file can decode to a huge picture. */
export const PICTURE_PIXELS_MAX = 40_000_000
/** Files that one user may upload per day. */
export const UPLOADS_PER_DAY = 20
/** Bytes that one user may upload per day. */
export const UPLOAD_BYTES_PER_DAY = 200 * 1024 ** 2
export const UPLOAD_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'application/pdf', 'application/zip'] as const
export const FILE_NAME_LENGTH_MAX = 255
/** Seconds after which an upload that is neither submitted nor a profile picture is deleted. */
export const ORPHAN_TTL = 24 * HOUR

export const PAGE_SIZE = { default: 10, max: 100 } as const
/** Totals that no index or count gives, such as those of searches, are counted up to this number. */
export const COUNTED_TOTAL_MAX = 1000
/** Rows that `page` may skip; deeper pages need the cursor. */
export const OFFSET_MAX = 10_000
/** Maximum number of roles in the list, which is not paged. */
export const ROLES_MAX = 1000
/** Maximum number of teams in the list of the caller's standings, which is not paged. */
export const STANDINGS_MAX = 100
/** Weeks in the administrators' figures. */
export const STATS_WEEKS = 12
/** Teams per points-history request: the lines of one chart. */
export const HISTORY_TEAMS_MAX = 12
export const JSON_BODY_BYTES_MAX = 64 * 1024

export const CODE_DIGITS = 6
export const CODE_TTL = 5 * MINUTE
export const CODE_ATTEMPTS_MAX = 5
/** Wrong codes per day over all codes and resends; docs/decisions/0011 lists which attempts share a counter. */
export const CODE_FAILURES_PER_DAY = 20
/** Minimum seconds between two codes for one e-mail address and purpose. */
export const CODE_COOLDOWN = 4 * MINUTE
/** Requests that mail something, per hour and IP address: enough for a campus, too few for a flood. */
export const MAIL_REQUESTS_PER_HOUR = 300
/** Mails per day that anyone can request for a mailbox and purpose: from one IP address, and in total; then one per hour. */
export const UNSOLICITED_MAILS_PER_DAY = { perIp: 10, total: 20 } as const
/** Seconds after the password check in which a sign-in may request codes. */
export const PENDING_SIGN_IN_TTL = 10 * MINUTE
/** Seconds after the password check until the last code that was mailed for the sign-in has expired. */
export const SIGN_IN_TTL = PENDING_SIGN_IN_TTL + CODE_TTL

/** Seconds in which a recent sign-in replaces the password of an account without one. */
export const RECENT_SIGN_IN_MAX_AGE = 10 * MINUTE

/** Refreshes of one sign-in, from any IP address: a normal device needs less than a tenth of this. */
export const REFRESHES_MAX = 120
export const REFRESHES_WINDOW = 15 * MINUTE

export const ACCESS_TOKEN_TTL = 15 * MINUTE
/** Seconds until a refresh token family expires, regardless of rotations. */
export const REFRESH_TOKEN_TTL = 30 * DAY
/**
 * Unexpired sign-ins of an account; another one ends the one that was used longest ago. Enough that a script that signs in every five
 * minutes does not end the sign-in of a phone within three days, and few enough to end all in one statement.
 */
export const SIGN_INS_MAX = 1000
/** Seconds in which the client that just spent a token gets the same pair again: its response may have been lost. */
export const REFRESH_GRACE_PERIOD = MINUTE

export const TOKEN_NAME_LENGTH = { min: 1, max: 60 } as const
/** Personal access tokens per user. */
export const TOKENS_MAX = 20
/** Days after which a personal access token may expire. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const
export const ADMIN_TOKEN_DAYS_MAX = 30

export const ADMIN_PASSWORD_ATTEMPTS_MAX = 5
export const ADMIN_PASSWORD_WINDOW = 15 * MINUTE
export const SIGN_IN_ATTEMPTS_MAX = 10
export const SIGN_IN_WINDOW = 15 * MINUTE
/** Sign-ins and codes per IP address and window, right or wrong: generous, because a whole campus may share one. */
export const SIGN_IN_REQUESTS_PER_IP = 1000
/** Wrong passwords and codes per IP address and window: normal mistakes at a campus stay far below. */
export const SIGN_IN_FAILURES_PER_IP = 300
/** Wrong codes per hour and IP address with an id that anyone gets, over all accounts. */
export const CODE_ID_FAILURES_PER_IP = 100

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_KEY_TTL = DAY
/** Idempotency-Keys stored per user; a database trigger enforces it. */
export const IDEMPOTENCY_KEYS_MAX = 1000

/** Webhooks of a team, and of the community. */
export const WEBHOOKS_MAX = 10
/** Seconds before each retry of a delivery: together a day. */
export const WEBHOOK_RETRY_DELAYS = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  9 * HOUR,
] as const
/** Pings and redeliveries per hour, of all webhooks of a team, and of the community. */
export const WEBHOOK_SENDS_PER_HOUR = 60
/** Seconds since the first failure after which a webhook is paused when an event is given up. */
export const WEBHOOK_FAILING_MAX = 3 * DAY
/** Seconds after the secret is replaced in which messages are also signed with the old one. */
export const WEBHOOK_SECRET_OVERLAP = DAY
/** Secrets that sign a message: the current one, and the newest of those replaced within `WEBHOOK_SECRET_OVERLAP`. */
export const WEBHOOK_SECRETS_MAX = 10
/** Seconds for which deliveries are kept. */
export const WEBHOOK_DELIVERY_TTL = 30 * DAY

export const NOTIFICATION_PAGE_SIZE = 20
/** Notifications that one request can mark by their ids. */
export const NOTIFICATIONS_READ_MAX = 50
/** Unread notifications are counted up to this number. */
export const UNREAD_COUNT_MAX = 100
/** Characters of the token in a mail's preferences link. */
export const LINK_TOKEN_LENGTH_MAX = 3000
/** Characters of the address of a push subscription. */
export const PUSH_ENDPOINT_LENGTH_MAX = 1000
/** Devices of a person that get push messages; another one replaces the oldest. */
export const PUSH_SUBSCRIPTIONS_MAX = 20
/** Seconds for which notifications are kept. */
export const NOTIFICATION_TTL = 90 * DAY
export const ANNOUNCEMENT_LENGTH_MAX = 5000

/** Open event streams of a process, of all its visitors, of a signed-in user, and of the visitors of an IP address and an IPv6 /48. */
export const STREAMS_MAX = { total: 5000, visitors: 4000, person: 10, address: 200, site: 800 } as const

/** Bytes of an archive that is imported from the admin area. */
export const IMPORT_BYTES_MAX = 50 * 1024 ** 3
/** Bytes of each part of an imported archive except the last. */
export const IMPORT_PART_BYTES = 8 * 1024 ** 2

/** Seconds until a proof-of-work challenge expires. */
export const PROOF_OF_WORK_TTL = 10 * MINUTE

export const TOAST_DURATION_MS = 5000
export const REQUEST_TIMEOUT_MS = 10_000
