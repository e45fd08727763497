import type { ProofPurpose } from './auth/proof-of-work.ts'

/** HTTP statuses of errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 428 | 429 | 503

/** What an error response may carry besides its message. */
export interface ErrorDetails {
  /** Seconds until the request may be repeated. */
  cooldown?: number
  expired?: true
  invalid?: true
  /** The purpose of the challenge to solve before repeating the request. */
  proofOfWork?: ProofPurpose
}

/** A documented error. `code` is stable; `message` is the default English text. */
export interface ErrorDefinition extends ErrorDetails {
  status: ErrorStatus
  code: string
  message: string
  /** The input field at fault, reported in `errors`. */
  path?: string
}

const defineError = (
  status: ErrorStatus,
  code: string,
  message: string,
  extra: ErrorDetails & { path?: string } = {},
): ErrorDefinition => ({
  status,
  code,
  message,
  ...extra,
})

/** The same error with another message. */
export const withMessage = (definition: ErrorDefinition, message: string): ErrorDefinition => ({
  ...definition,
  message,
})

// Errors of any procedure, from access checks, validation, limits or an outage.
export const validation = defineError(400, 'VALIDATION', 'Please check the fields')
export const notSignedIn = defineError(401, 'NOT_SIGNED_IN', 'Please sign in')
export const tokenExpired = defineError(401, 'TOKEN_EXPIRED', 'Your session has expired. Please sign in again.', {
  expired: true,
})
export const adminsOnly = defineError(403, 'ADMINS_ONLY', 'Administrators only')
export const notFound = defineError(404, 'NOT_FOUND', 'Not found')
export const tooLarge = defineError(413, 'TOO_LARGE', 'The request is too large')
export const wrongContentType = defineError(415, 'WRONG_CONTENT_TYPE', 'Send the body as application/json')
export const tooManyRequests = defineError(429, 'TOO_MANY_REQUESTS', 'Too many requests. Please wait and try again.')
export const unavailable = defineError(503, 'UNAVAILABLE', 'The service is unavailable right now. Please try again.')
export const proofOfWorkRequired = defineError(
  428,
  'PROOF_OF_WORK_REQUIRED',
  'This call needs a proof of work. Solve a challenge from GET /api/auth/proof-of-work and repeat the call with the solution in the X-Proof-Of-Work header.',
)
export const proofOfWorkInvalid = defineError(
  428,
  'PROOF_OF_WORK_INVALID',
  'This proof of work is not valid, has expired or was used before. Solve a new challenge.',
)
export const crossSite = defineError(403, 'CROSS_SITE', 'This request came from another site')
export const passwordRequired = defineError(400, 'PASSWORD_REQUIRED', 'Password is required', { path: 'password' })
export const wrongPassword = defineError(403, 'WRONG_PASSWORD', 'The password you entered is incorrect.', {
  invalid: true,
})
export const adminPasswordLocked = defineError(
  429,
  'ADMIN_PASSWORD_LOCKED',
  'Too many wrong passwords. Please wait and try again.',
)
export const idempotencyKeyInvalid = defineError(
  400,
  'IDEMPOTENCY_KEY_INVALID',
  'An Idempotency-Key has 1 to 255 printable characters',
)
export const idempotencyKeySpent = defineError(
  409,
  'IDEMPOTENCY_KEY_SPENT',
  'The first request with this Idempotency-Key took effect, but its answer was lost',
)
export const idempotencyKeyReused = defineError(
  422,
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for another request',
)
export const idempotencyKeyRunning = defineError(
  409,
  'IDEMPOTENCY_KEY_RUNNING',
  'The first request with this Idempotency-Key is still running',
)
export const tooManyIdempotencyKeys = defineError(
  429,
  'TOO_MANY_IDEMPOTENCY_KEYS',
  'You used 1,000 Idempotency-Keys in the last 24 hours. Wait, or leave the header out.',
)

// Searches
export const searchTooBroad = defineError(
  400,
  'SEARCH_TOO_BROAD',
  'This search matches too much. Please type more letters.',
  {
    path: 'search',
  },
)
export const searchBusy = defineError(
  503,
  'SEARCH_BUSY',
  'Too many searches are running. Please try again in a moment.',
)

// Accounts
export const wrongCredentials = defineError(
  401,
  'WRONG_CREDENTIALS',
  'The email or password you entered is incorrect. Please check and try again.',
)
export const banned = defineError(403, 'BANNED', 'This account is banned')
export const emailRefused = defineError(403, 'EMAIL_REFUSED', 'This email address cannot be used here.')
export const signInLocked = defineError(429, 'SIGN_IN_LOCKED', 'Too many attempts. Please wait and try again.')
export const codeInvalid = defineError(
  400,
  'CODE_INVALID',
  'The verification code you entered is incorrect. Please check and try again.',
  { invalid: true },
)
export const codeExpired = defineError(
  400,
  'CODE_EXPIRED',
  'Your verification code has expired. Please request a new one.',
  {
    expired: true,
  },
)
export const codeTooSoon = defineError(429, 'CODE_TOO_SOON', 'Please wait before asking for a new code.')
export const codeLocked = defineError(429, 'CODE_LOCKED', 'Too many wrong codes. Please wait and try again.')
export const refreshInvalid = defineError(401, 'REFRESH_INVALID', 'Your session has ended. Please sign in again.', {
  invalid: true,
})
export const emailTaken = defineError(409, 'EMAIL_TAKEN', 'An account with this email already exists.')
export const externalSignInOff = defineError(404, 'EXTERNAL_SIGN_IN_OFF', 'External sign-in is not set up here')
export const userMissing = defineError(404, 'USER_MISSING', 'User not found')
export const wrongCurrentPassword = defineError(403, 'WRONG_CURRENT_PASSWORD', 'The current password is incorrect.', {
  invalid: true,
  path: 'currentPassword',
})

export const currentPasswordRequired = defineError(400, 'CURRENT_PASSWORD_REQUIRED', 'Password is required', {
  path: 'currentPassword',
})
export const signInTooOld = defineError(
  403,
  'SIGN_IN_AGAIN',
  'Please sign in again to change this. Your last sign-in was more than 10 minutes ago.',
)
export const noPassword = defineError(
  409,
  'NO_PASSWORD',
  'This account has no password yet. Set one with Forgot your password?',
)
export const passwordTooCommon = defineError(
  400,
  'PASSWORD_TOO_COMMON',
  'This password is one of the most common ones. Please choose another.',
  { path: 'password' },
)
/** Sent with the message of the rule that the password breaks: see `adminPasswordProblem`. */
export const adminPasswordWeak = defineError(
  400,
  'ADMIN_PASSWORD_WEAK',
  'Password is too weak. Please choose a stronger password.',
  { path: 'password' },
)
export const sessionMissing = defineError(404, 'SESSION_MISSING', 'This session has already ended')
export const notYourAccount = defineError(403, 'NOT_YOUR_ACCOUNT', 'This is not your account')
export const adminsStay = defineError(
  403,
  'ADMINS_STAY',
  'Administrators cannot delete their own account. Ask another administrator to delete it.',
)

// Teams
export const teamMissing = defineError(404, 'TEAM_MISSING', 'Team not found')
export const teamFull = defineError(409, 'TEAM_FULL', 'This team is full')
export const teamInactive = defineError(409, 'TEAM_INACTIVE', 'This team is not active')
export const alreadyMember = defineError(409, 'ALREADY_MEMBER', 'You are already a member of this team')
export const adminsCannotJoin = defineError(403, 'ADMINS_CANNOT_JOIN', 'Administrators cannot join teams')
export const adminsCannotCreate = defineError(403, 'ADMINS_CANNOT_CREATE', 'Administrators cannot create teams')
export const roleNotNeeded = defineError(400, 'ROLE_NOT_NEEDED', 'Please select a valid role', { path: 'role' })
export const roleUnknown = defineError(400, 'ROLE_UNKNOWN', 'Please select a valid role', { path: 'rolesNeeded' })
export const duplicateName = defineError(409, 'DUPLICATE_NAME', 'A team with this name already exists', {
  path: 'name',
})
export const teamCreationOff = defineError(403, 'TEAM_CREATION_DISABLED', 'Team creation is disabled')
export const notAMember = defineError(403, 'NOT_A_MEMBER', 'You are not a member of this team')
export const chefOnly = defineError(403, 'CHEF_ONLY', 'Only the team chef can do this')

export const memberMissing = defineError(404, 'MEMBER_MISSING', 'This person is not a member of the team')
export const newOwnerMissing = defineError(404, 'NEW_OWNER_MISSING', 'New owner not found in team members', {
  path: 'newOwnerId',
})
export const newOwnerRequired = defineError(
  409,
  'NEW_OWNER_REQUIRED',
  'Choose who becomes the chef, or let the oldest member follow',
  { path: 'newOwnerId' },
)
export const lastMember = defineError(409, 'LAST_MEMBER', 'You are the only member. Leave or delete the team instead.')
export const alreadyChef = defineError(409, 'ALREADY_CHEF', 'This member is already the chef')
export const teamSmallerThanMembers = defineError(
  409,
  'TEAM_SMALLER_THAN_MEMBERS',
  'The team has more members than that',
  {
    path: 'maxMembers',
  },
)
export const adminsReactivate = defineError(403, 'ADMINS_REACTIVATE', 'Only an administrator can activate a team again')
export const teamEmpty = defineError(409, 'TEAM_EMPTY', 'A team without members cannot be active')
export const duplicateRole = defineError(409, 'DUPLICATE_ROLE', 'A role with this name already exists', {
  path: 'name',
})

// Challenges, submissions, uploads
export const challengeMissing = defineError(404, 'CHALLENGE_MISSING', 'Challenge not found')
export const challengeInactive = defineError(409, 'CHALLENGE_INACTIVE', 'This challenge is not active')
export const challengeExpired = defineError(409, 'CHALLENGE_EXPIRED', 'The deadline of this challenge has passed')
export const chefRequired = defineError(
  403,
  'CHEF_REQUIRED',
  'Only team chefs can apply to challenges. Create a team or become a chef to apply.',
)
export const alreadyApplied = defineError(409, 'ALREADY_APPLIED', 'This team has already applied to this challenge')
export const memberAlreadyApplied = defineError(
  409,
  'MEMBER_ALREADY_APPLIED',
  'A member of this team has already applied to this challenge with another team',
)
export const deadlineTooSoon = defineError(400, 'DEADLINE_TOO_SOON', 'Deadline must be at least 2 minutes from now', {
  path: 'deadline',
})
export const moreAlreadySubmitted = defineError(
  409,
  'MORE_ALREADY_SUBMITTED',
  'A team has handed in more than that already',
  { path: 'maxSubmissions' },
)
export const submissionMissing = defineError(404, 'SUBMISSION_MISSING', 'Submission not found')
export const notPending = defineError(409, 'NOT_PENDING', 'This submission has already been evaluated')
export const notRejected = defineError(409, 'NOT_REJECTED', 'Only a rejected submission can be submitted again')
export const notEvaluated = defineError(409, 'NOT_EVALUATED', 'This submission has not been evaluated yet')
export const submitterOnly = defineError(
  403,
  'SUBMITTER_ONLY',
  'Only the team chef or the person who submitted it can do this',
)
export const ownTeam = defineError(403, 'OWN_TEAM', 'You cannot evaluate the work of a team you are or were in')
export const fileMissing = defineError(400, 'FILE_MISSING', 'Please upload the file first', { path: 'content' })
export const fileRequired = defineError(400, 'FILE_REQUIRED', 'Please choose a file', { path: 'file' })
export const fileTooLarge = defineError(413, 'FILE_TOO_LARGE', 'The file is larger than 10 MB', { path: 'file' })
export const fileTypeRefused = defineError(
  415,
  'FILE_TYPE_REFUSED',
  'Only JPEG, PNG, GIF, PDF and ZIP files are allowed',
  {
    path: 'file',
  },
)
export const pictureTypeRefused = defineError(
  415,
  'PICTURE_TYPE_REFUSED',
  'Only JPEG, PNG and GIF pictures are allowed',
  {
    path: 'profile',
  },
)
export const pictureUnreadable = defineError(
  400,
  'PICTURE_UNREADABLE',
  'This picture cannot be read. Please choose another.',
  {
    path: 'profile',
  },
)
export const pictureTooLarge = defineError(413, 'PICTURE_TOO_LARGE', 'The picture has more than 40 megapixels', {
  path: 'profile',
})
export const tooManyUploads = defineError(429, 'TOO_MANY_UPLOADS', 'Too many uploads today. Please try again tomorrow.')
export const tooManyFiles = defineError(400, 'TOO_MANY_FILES', 'At most 5 files', { path: 'files' })

// Administration
export const ownAccount = defineError(403, 'OWN_ACCOUNT', 'You cannot perform admin actions on your own account')
export const alreadyBanned = defineError(409, 'ALREADY_BANNED', 'This user is already banned')
export const notBanned = defineError(409, 'NOT_BANNED', 'This user is not banned')
export const warningMissing = defineError(404, 'WARNING_MISSING', 'Warning not found')
export const entryMissing = defineError(404, 'ENTRY_MISSING', 'Entry not found')
export const alreadyBlacklisted = defineError(409, 'ALREADY_BLACKLISTED', 'This address is on the blacklist already', {
  path: 'email',
})
export const deadlinePast = defineError(400, 'DEADLINE_PAST', 'Deadline must be in the future', { path: 'deadline' })
export const adminNeedsPassword = defineError(
  409,
  'ADMIN_NEEDS_PASSWORD',
  'This account has no password, which an administrator needs',
)
/** Also for mails that exist but are not dead. */
export const mailMissing = defineError(404, 'MAIL_MISSING', 'Mail not found')
export const mailExpired = defineError(
  409,
  'MAIL_EXPIRED',
  'The code in this mail has expired. A new one must be asked for.',
  { expired: true },
)
