import { CATEGORY_LABELS, DIFFICULTY_LABELS } from '../../components/challenge-labels.ts'
import { STATUS_LABELS } from '../../components/submission-badges.tsx'
import { formatDateTime, formatMegabytes, formatNumber } from '../../lib/format.ts'
import { LANGUAGE_NAMES, listText, msg, type Translate } from '../../lib/i18n.ts'
import { AUDIENCE_LABELS } from './announcements/audience-labels.ts'
import { MAIL_LABELS } from './mail-labels.ts'

/** English labels of details. Details that only developers need, such as ids, have none: their own names are shown. */
const DETAIL_LABELS: Record<string, string> = {
  name: msg('Name'),
  title: msg('Title'),
  description: msg('Description'),
  email: msg('Email'),
  recipient: msg('Recipient'),
  reason: msg('Reason'),
  status: msg('Status'),
  isActive: msg('Status'),
  score: msg('Score'),
  points: msg('Points'),
  delta: msg('Change in points'),
  before: msg('Before'),
  after: msg('After'),
  changed: msg('Changes'),
  warnings: msg('Warnings'),
  teams: msg('Teams'),
  deleted: msg('Deleted teams'),
  deadline: msg('Deadline'),
  publishAt: msg('Published'),
  audience: msg('Audience'),
  language: msg('Language'),
  category: msg('Category'),
  difficulty: msg('Difficulty'),
  requirements: msg('Requirements'),
  tags: msg('Tags'),
  resources: msg('Resources'),
  maxSubmissions: msg('Maximum submissions per team'),
  maxMembers: msg('Maximum members'),
  size: msg('Size'),
  template: msg('{mail, select, other {Email}}'),
  lastError: msg('Last error'),
  token: msg('Access token'),
}

/** The values of a submission's status, a user's role and a setting. */
const CHANGED_LABELS = {
  ...STATUS_LABELS,
  member: msg('Member'),
  admin: msg('Admin'),
  true: msg('Enabled'),
  false: msg('Disabled'),
}

/** English labels of the values of details. */
const VALUE_LABELS: Record<string, Record<string, string>> = {
  status: STATUS_LABELS,
  before: CHANGED_LABELS,
  after: CHANGED_LABELS,
  isActive: { true: msg('Active'), false: msg('Inactive') },
  // Of challenges and of roles.
  category: {
    ...CATEGORY_LABELS,
    Development: msg('Development'),
    Marketing: msg('Marketing'),
    Management: msg('Management'),
  },
  difficulty: DIFFICULTY_LABELS,
  audience: AUDIENCE_LABELS,
  language: LANGUAGE_NAMES,
  template: MAIL_LABELS,
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

export const detailLabel = (key: string, t: Translate): string => t(DETAIL_LABELS[key] ?? key)

/** The value of an audit entry's detail, in the user's language if it has a label. */
export function detailText(key: string, value: unknown, t: Translate): string {
  if (Array.isArray(value)) return listText(value.map((item) => detailText(key, item, t)))
  if (typeof value === 'object' && value !== null)
    return listText(
      Object.entries(value).map(
        ([name, part]) => `${t('{label}:', { label: detailLabel(name, t) })} ${detailText(name, part, t)}`,
      ),
    )
  if (typeof value === 'number') return key === 'size' ? formatMegabytes(value) : formatNumber(value)
  const label = VALUE_LABELS[key]?.[String(value)]
  if (label !== undefined) return t(label)
  return typeof value === 'string' && ISO_TIME.test(value) ? formatDateTime(value) : String(value)
}
