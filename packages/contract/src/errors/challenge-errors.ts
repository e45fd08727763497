import { DEADLINE_LEAD, MINUTE, PICTURE_PIXELS_MAX, UPLOAD_BYTES_MAX, UPLOAD_FILES_MAX } from '../limits.ts'
import { defineError } from './define-error.ts'

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
export const deadlineTooSoon = defineError(400, 'DEADLINE_TOO_SOON', 'Deadline must be at least {n} minutes from now', {
  path: 'deadline',
  params: { n: DEADLINE_LEAD / MINUTE },
})
export const moreAlreadySubmitted = defineError(
  409,
  'MORE_ALREADY_SUBMITTED',
  'A team has already submitted more than that',
  { path: 'maxSubmissions' },
)
export const submissionMissing = defineError(404, 'SUBMISSION_MISSING', 'Submission not found')
export const notPending = defineError(409, 'NOT_PENDING', 'This submission has already been evaluated')
export const notRejected = defineError(409, 'NOT_REJECTED', 'Only a rejected submission can be submitted again')
export const notEvaluated = defineError(409, 'NOT_EVALUATED', 'This submission has not been evaluated yet')
export const evaluationChanged = defineError(
  409,
  'EVALUATION_CHANGED',
  'This submission has been evaluated again in the meantime. Open it again to see the new evaluation.',
)
export const submitterOnly = defineError(
  403,
  'SUBMITTER_ONLY',
  'Only the team chef or the person who submitted it can do this',
)
export const ownTeam = defineError(403, 'OWN_TEAM', 'You cannot evaluate the work of a team you are or were in')
export const fileMissing = defineError(400, 'FILE_MISSING', 'Please upload the file first', { path: 'content' })
export const fileRequired = defineError(400, 'FILE_REQUIRED', 'Please choose a file', { path: 'file' })
export const fileTooLarge = defineError(413, 'FILE_TOO_LARGE', 'The file is larger than {n} MB', {
  path: 'file',
  params: { n: UPLOAD_BYTES_MAX / 1024 ** 2 },
})
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
export const pictureTooLarge = defineError(413, 'PICTURE_TOO_LARGE', 'The picture has more than {n} megapixels', {
  path: 'profile',
  params: { n: PICTURE_PIXELS_MAX / 1e6 },
})
export const tooManyUploads = defineError(429, 'TOO_MANY_UPLOADS', 'Too many uploads today. Please try again tomorrow.')
export const tooManyFiles = defineError(400, 'TOO_MANY_FILES', 'At most {n} files', {
  path: 'files',
  params: { n: UPLOAD_FILES_MAX },
})
