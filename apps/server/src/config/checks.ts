import { isCommonPassword } from '../auth/common-passwords.ts'
import { isLoopback } from '../start/loopback.ts'
import { PUBLISHED_PASSWORDS, PUBLISHED_SECRETS } from '../start/published-values.ts'
import { type Environment, isOn, type VariableName } from './variables.ts'

/** The first problem of each variable, by its name. */
export type Problems = Map<string, string>

/** Adds a problem for each variable that is required together with others or in production, and for known secrets. */
export function checkEnvironment(env: Environment, problems: Problems): void {
  const requireAll = (names: VariableName[], because: string) => {
    for (const name of names)
      if (env[name] === undefined && !problems.has(name)) problems.set(name, `is missing: ${because}`)
  }
  const isAnySet = (names: VariableName[]) => names.some((name) => env[name] !== undefined)
  if (isAnySet(['DATABASE_DIRECT_URL', 'DATABASE_POOLER', 'DATABASE_REPLICA_URL']))
    requireAll(['DATABASE_URL'], 'DATABASE_DIRECT_URL, DATABASE_POOLER and DATABASE_REPLICA_URL belong to it')
  if (isAnySet(['DATABASE_POOLER']))
    requireAll(['DATABASE_DIRECT_URL'], 'migrations need a session, which a pooler in transaction mode does not keep')
  const s3: VariableName[] = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  if (isAnySet(['S3_ENDPOINT', ...s3]))
    requireAll(s3, 'storage needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together')
  const oauth: VariableName[] = ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET']
  if (isAnySet(oauth)) requireAll(oauth, 'external sign-in needs OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET together')
  const vapid: VariableName[] = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']
  if (isAnySet(['VAPID_SUBJECT', ...vapid]))
    requireAll(vapid, 'push messages need VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY together')
  const admin: VariableName[] = ['ADMIN_EMAIL', 'ADMIN_PASSWORD']
  if (isAnySet(admin)) requireAll(admin, 'the first admin needs ADMIN_EMAIL and ADMIN_PASSWORD together')
  const password = env.ADMIN_PASSWORD
  if (password !== undefined && hasBlocklist(env) && isCommonPassword(password) && !problems.has('ADMIN_PASSWORD'))
    problems.set('ADMIN_PASSWORD', 'is one of the most common passwords: choose another')
  checkPublished(env, problems)
  if (env.NODE_ENV !== 'production') return
  requireAll(['APP_SECRET'], 'a random secret of this product, such as from openssl rand -base64 32')
  if (isOn(env.EMBEDDED)) return
  const because = 'production starts nothing embedded unless EMBEDDED=1'
  requireAll(['APP_URL'], 'the public URL of the product, such as https://community.example')
  requireAll(['DATABASE_URL'], `a PostgreSQL such as postgres://user:password@host:5432/community (${because})`)
  requireAll(s3, `S3-compatible storage (${because})`)
  requireAll(['SMTP_URL'], `a mail server such as smtps://user:password@mail.example:465 (${because})`)
  requireAll(['MAIL_FROM'], 'the sender of mails, such as Community <hello@community.example>')
}

/** Whether others can reach the server: in production, or when HOST or APP_URL is not on loopback. */
export const isExposed = ({ NODE_ENV, HOST = 'localhost', APP_URL }: Environment): boolean =>
  NODE_ENV === 'production' ||
  !isLoopback(HOST) ||
  (APP_URL !== undefined && !(URL.canParse(APP_URL) && isLoopback(new URL(APP_URL).hostname)))

export const hasBlocklist = ({ NODE_ENV, PASSWORD_BLOCKLIST }: Environment): boolean =>
  PASSWORD_BLOCKLIST === undefined ? NODE_ENV === 'production' : isOn(PASSWORD_BLOCKLIST)

/** Rejects secrets and passwords that are published with the source code. */
function checkPublished(env: Environment, problems: Problems): void {
  if (!isExposed(env)) return
  const published: [VariableName, readonly string[], string][] = [
    ['APP_SECRET', PUBLISHED_SECRETS, 'set a random one, such as from openssl rand -base64 32'],
    ['ADMIN_PASSWORD', PUBLISHED_PASSWORDS, 'choose another'],
  ]
  for (const [name, values, advice] of published)
    if (values.includes(env[name] ?? '')) problems.set(name, `is published with the source code: ${advice}`)
}
