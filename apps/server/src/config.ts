import { isIP } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminPasswordProblem, cleanLine, Email, Link, PersonName } from '@community/contract'
import { z } from 'zod'
import { DEFAULT_APP_NAME } from './mails/app-name.ts'
import { isCommonPassword } from './auth/common-passwords.ts'
import { isLoopback } from './start/loopback.ts'
import { DEFAULT_ADMIN, PUBLISHED_PASSWORDS, PUBLISHED_SECRETS } from './start/published-values.ts'

/** A setting is missing or wrong: the message has a line for each, with what it should be, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'EnvError'
}

export interface S3Settings {
  endpoint?: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
}

export interface OauthSettings {
  issuer: string
  clientId: string
  clientSecret: string
}

/** When calls that mail strangers need a proof of work; the bounds are calls in an hour. */
export interface ProofOfWorkSettings {
  mode: 'off' | 'auto' | 'always'
  perAddress: number
  inTotal: number
}

export interface Config {
  nodeEnv: 'development' | 'production' | 'test'
  /** May this process start the embedded database, files, mail catcher and identity provider? */
  embedded: boolean
  host: string
  port: number
  /** Where the metrics are told; undefined for nowhere. */
  metricsPort?: number | undefined
  /** Seconds between SIGTERM and the end of answering. */
  drainSeconds: number
  /** What the product is called. */
  appName: string
  /** The public address, without a slash at its end. */
  appUrl: string
  /** Absolute. */
  dataDir: string
  databaseUrl?: string | undefined
  s3?: S3Settings | undefined
  smtpUrl?: string | undefined
  mailFrom: string
  oauth?: OauthSettings | undefined
  admin?: { email: string; password: string; name: string; isDefault: boolean } | undefined
  /** Production, or a HOST or APP_URL that others can reach: nothing published may guard this server. */
  isExposed: boolean
  /** Are common passwords refused? */
  passwordBlocklist: boolean
  signInOtp: 'member-choice' | 'admins' | 'everyone'
  /** The proxies whose X-Forwarded-For counts; false for none. */
  trustProxy: false | string[]
  logLevel: string
  /** Keys the codes' hashes and what is sealed; unset outside production: made once and kept in `dataDir`. */
  secret?: string | undefined
  proofOfWork: ProofOfWorkSettings
  /** Units that reads may cost within 20 seconds: READ_COST. */
  readBudget: { perAddress: number; perPerson: number }
  /** Calls that run at once: anonymous ones of an address, those of a signed-in person. */
  callsAtOnce: { perAddress: number; perPerson: number }
  /** Links of the contact section and the footer. */
  links: { chatGroup: string; chatServer: string; supportEmail: string; social: string[] }
  migrationsDir: string
  webDir: string
}

/** From `src` as from the bundle in `dist`: both lie in apps/server. */
const fromHere = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const urlOf = (protocols: string[], example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address such as ${example}`,
    )
const isOrigin = (value: string) =>
  URL.canParse(value) && new URL(value).origin === value.replace(/\/+$/, '').toLowerCase()
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
const isOn = (flag = '') => flag === '1' || flag === 'true'
const flag = z.enum(['1', '0', 'true', 'false'], 'must be 1 or 0').transform((value) => isOn(value))

const NAMED_PROXIES = ['loopback', 'linklocal', 'uniquelocal']
const isProxy = (entry: string): boolean => {
  const [address = '', bits, ...rest] = entry.split('/')
  if (NAMED_PROXIES.includes(entry)) return true
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

const WRONG_PORT = 'must be a port number from 1 to 65535'
const port = z
  .string()
  .regex(/^\d{1,5}$/, WRONG_PORT)
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, WRONG_PORT)

const callsPerHour = (unset: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number of calls from 1 to 999999')
    .transform(Number)
    .default(unset)

const atLeastOne = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number)

const Variables = z.object({
  NODE_ENV: oneOf(['development', 'production', 'test']).default('development'),
  EMBEDDED: flag.default(false),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an address such as 127.0.0.1')
    .default('127.0.0.1'),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  DRAIN_SECONDS: z
    .string()
    .regex(/^(?:[0-9]|[1-5][0-9]|60)$/, 'must be a number of seconds from 0 to 60')
    .transform(Number)
    .default(0),
  APP_NAME: z
    .string()
    .trim()
    .refine(
      (value) => value === cleanLine(value) && value.length <= 30,
      'must be a name of one line with 1 to 30 characters',
    )
    .default(DEFAULT_APP_NAME),
  APP_URL: urlOf(['http:', 'https:'], 'https://community.example')
    .refine((value) => isOrigin(value), 'must be an address without a path, such as https://community.example')
    .optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/community').optional(),
  S3_ENDPOINT: urlOf(['http:', 'https:'], 'https://s3.example').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots or hyphens',
    )
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  SMTP_URL: urlOf(['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465').optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\r\n<>@]{1,100} ?<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be an address such as Community <hello@community.example>',
    )
    .optional(),
  OAUTH_ISSUER: urlOf(['http:', 'https:'], 'https://accounts.google.com').default('https://accounts.google.com'),
  OAUTH_CLIENT_ID: z.string().optional(),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  ADMIN_EMAIL: z
    .string()
    .refine((value) => Email.safeParse(value).success, 'must be an e-mail address')
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .superRefine((value, context) => {
      const problem = adminPasswordProblem(value)
      if (problem)
        context.addIssue({ code: 'custom', message: `does not meet the rules for administrators: ${problem}` })
    })
    .optional(),
  ADMIN_NAME: z
    .string()
    .refine((value) => PersonName.safeParse(value).success, 'must have 2 to 100 characters')
    .optional(),
  PASSWORD_BLOCKLIST: flag.optional(),
  SIGN_IN_OTP: oneOf(['member-choice', 'admins', 'everyone']).default('member-choice'),
  TRUST_PROXY: z
    .string()
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .refine(
      (entries) => entries.every(isProxy),
      'must list the proxies by address or network, such as 10.0.0.1, 192.168.0.0/16 or loopback',
    )
    .optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  APP_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    // What one types or repeats to be long enough has few different ones; 32 random ones of base64 have some 25, of hex 14.
    .refine(
      (value) => value.length < 32 || new Set(value).size >= 10,
      'must be random, such as of: openssl rand -base64 32',
    )
    .optional(),
  PROOF_OF_WORK: oneOf(['off', 'auto', 'always']).optional(),
  PROOF_OF_WORK_PER_ADDRESS: callsPerHour(30),
  PROOF_OF_WORK_IN_TOTAL: callsPerHour(600),
  READ_BUDGET_PER_ADDRESS: atLeastOne.default(6000),
  READ_BUDGET_PER_PERSON: atLeastOne.default(1200),
  CALLS_AT_ONCE_PER_ADDRESS: atLeastOne.default(2),
  CALLS_AT_ONCE_PER_PERSON: atLeastOne.default(4),
  CHAT_GROUP_URL: urlOf(['http:', 'https:'], 'https://chat.whatsapp.com/…').default('https://chat.whatsapp.com/'),
  CHAT_SERVER_URL: urlOf(['http:', 'https:'], 'https://discord.gg/…').default('https://discord.com/'),
  SUPPORT_EMAIL: z
    .string()
    .refine((value) => Email.safeParse(value).success, 'must be an e-mail address')
    .optional(),
  SOCIAL_LINKS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (links) => links.length <= 10 && links.every((link) => Link.safeParse(link).success),
      'must list at most 10 addresses, such as https://github.com/community, https://www.instagram.com/community',
    )
    .transform((links) => [...new Set(links.map((link) => Link.parse(link)))])
    .optional(),
  MIGRATIONS_DIR: z.string().optional(),
  WEB_DIR: z.string().optional(),
})
type Variables = z.output<typeof Variables>
type Name = keyof Variables

/** Every setting there is. */
export const settingNames: readonly string[] = Object.keys(Variables.shape)

type Problems = Map<string, string>

/** Settings that only make sense together, and those that production cannot do without. */
function checkGroups(given: Partial<Record<Name, string>>, problems: Problems): void {
  const need = (names: Name[], because: string) => {
    for (const name of names)
      if (given[name] === undefined && !problems.has(name)) problems.set(name, `is missing: ${because}`)
  }
  const anyOf = (names: Name[]) => names.some((name) => given[name] !== undefined)
  const s3: Name[] = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  if (anyOf(['S3_ENDPOINT', ...s3]))
    need(s3, 'storage needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together')
  const oauth: Name[] = ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET']
  if (anyOf(oauth)) need(oauth, 'external sign-in needs OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET together')
  const admin: Name[] = ['ADMIN_EMAIL', 'ADMIN_PASSWORD']
  if (anyOf(admin)) need(admin, 'the first admin needs ADMIN_EMAIL and ADMIN_PASSWORD together')
  if (hasBlocklist(given) && isCommonPassword(given.ADMIN_PASSWORD ?? '') && !problems.has('ADMIN_PASSWORD'))
    problems.set('ADMIN_PASSWORD', 'is one of the most common passwords: choose another')
  checkPublished(given, problems)
  if (given.NODE_ENV !== 'production') return
  need(['APP_SECRET'], 'a random secret of this product, such as of: openssl rand -base64 32')
  if (isOn(given.EMBEDDED)) return
  const because = 'production starts nothing embedded unless EMBEDDED=1'
  need(['APP_URL'], 'the public address of the product, such as https://community.example')
  need(['DATABASE_URL'], `a PostgreSQL such as postgres://user:password@host:5432/community (${because})`)
  need(s3, `S3-compatible storage (${because})`)
  need(['SMTP_URL'], `a mail server such as smtps://user:password@mail.example:465 (${because})`)
  need(['MAIL_FROM'], 'the sender of mails, such as Community <hello@community.example>')
}

const isExposed = ({ NODE_ENV, HOST = 'localhost', APP_URL }: Partial<Record<Name, string>>): boolean =>
  NODE_ENV === 'production' ||
  !isLoopback(HOST) ||
  (APP_URL !== undefined && !(URL.canParse(APP_URL) && isLoopback(new URL(APP_URL).hostname)))

const hasBlocklist = ({ NODE_ENV, PASSWORD_BLOCKLIST }: Partial<Record<Name, string>>): boolean =>
  PASSWORD_BLOCKLIST === undefined ? NODE_ENV === 'production' : isOn(PASSWORD_BLOCKLIST)

/** These values are published with the source code. */
function checkPublished(given: Partial<Record<Name, string>>, problems: Problems): void {
  if (!isExposed(given)) return
  const published: [Name, readonly string[], string][] = [
    ['APP_SECRET', PUBLISHED_SECRETS, 'set a random one, such as of: openssl rand -base64 32'],
    ['ADMIN_PASSWORD', PUBLISHED_PASSWORDS, 'choose another'],
  ]
  for (const [name, values, advice] of published)
    if (values.includes(given[name] ?? '')) problems.set(name, `is published with the source code: ${advice}`)
}

function complain(problems: Problems): never {
  const lines = [...problems].map(([name, problem]) => `  ${name} ${problem}`)
  throw new ConfigError(`The settings are not right:\n${lines.join('\n')}\nAll settings are explained in .env.example.`)
}

/** A name as it may stand before an address in a mail's header. */
const quoted = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`

const s3Of = (values: Variables): S3Settings | undefined =>
  values.S3_BUCKET === undefined
    ? undefined
    : {
        endpoint: values.S3_ENDPOINT,
        region: values.S3_REGION,
        bucket: values.S3_BUCKET,
        accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
        // Servers of one's own know buckets by path; Amazon's knows them by host.
        forcePathStyle: values.S3_FORCE_PATH_STYLE ?? values.S3_ENDPOINT !== undefined,
      }

function adminOf(values: Variables, isDefaultAllowed: boolean): Config['admin'] {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_NAME: name = DEFAULT_ADMIN.name } = values
  if (email !== undefined && password !== undefined)
    return { email: Email.parse(email), password, name: PersonName.parse(name), isDefault: false }
  return isDefaultAllowed ? { ...DEFAULT_ADMIN, name, isDefault: true } : undefined
}

/** Reads every setting; the only place that does. Empty ones count as unset. Throws `ConfigError`. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  const given: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(source)) if (value.trim() !== '') given[name] = value
  const result = Variables.safeParse(given)
  const problems: Problems = new Map()
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0])
    if (!problems.has(name)) problems.set(name, issue.message)
  }
  checkGroups(given, problems)
  if (!result.success || problems.size > 0) complain(problems)
  const values = result.data

  const appUrl = (values.APP_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  return {
    nodeEnv: values.NODE_ENV,
    embedded: values.NODE_ENV !== 'production' || values.EMBEDDED,
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    drainSeconds: values.DRAIN_SECONDS,
    appName: values.APP_NAME,
    appUrl,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    s3: s3Of(values),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `${quoted(values.APP_NAME)} <no-reply@${new URL(appUrl).hostname}>`,
    oauth:
      values.OAUTH_CLIENT_ID === undefined
        ? undefined
        : {
            issuer: values.OAUTH_ISSUER,
            clientId: values.OAUTH_CLIENT_ID,
            clientSecret: values.OAUTH_CLIENT_SECRET ?? '',
          },
    admin: adminOf(values, !isExposed(given)),
    isExposed: isExposed(given),
    passwordBlocklist: hasBlocklist(given),
    signInOtp: values.SIGN_IN_OTP,
    trustProxy: values.TRUST_PROXY ?? false,
    logLevel: values.LOG_LEVEL ?? (values.NODE_ENV === 'production' ? 'info' : 'warn'),
    secret: values.APP_SECRET,
    proofOfWork: {
      mode: values.PROOF_OF_WORK ?? (values.NODE_ENV === 'production' ? 'auto' : 'off'),
      perAddress: values.PROOF_OF_WORK_PER_ADDRESS,
      inTotal: values.PROOF_OF_WORK_IN_TOTAL,
    },
    readBudget: { perAddress: values.READ_BUDGET_PER_ADDRESS, perPerson: values.READ_BUDGET_PER_PERSON },
    callsAtOnce: { perAddress: values.CALLS_AT_ONCE_PER_ADDRESS, perPerson: values.CALLS_AT_ONCE_PER_PERSON },
    links: {
      chatGroup: values.CHAT_GROUP_URL,
      chatServer: values.CHAT_SERVER_URL,
      supportEmail: values.SUPPORT_EMAIL ?? `support@${new URL(appUrl).hostname}`,
      social: values.SOCIAL_LINKS ?? [],
    },
    migrationsDir: path.resolve(values.MIGRATIONS_DIR ?? fromHere('../../../drizzle/migrations')),
    webDir: path.resolve(values.WEB_DIR ?? fromHere('../../web/dist')),
  }
}
