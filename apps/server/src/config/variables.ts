import { adminPasswordProblem, cleanLine, Email, Link, PersonName } from '@community/contract'
import { parseDatabaseUrl, POOLERS } from '@community/db/database-url'
import { z } from 'zod'
import { DEFAULT_APP_NAME } from '../mails/app-name.ts'
import { isProxy } from './is-proxy.ts'

const urlSchema = (protocols: string[], example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL such as ${example}`,
    )
const isDatabaseUrl = (value: string) => {
  try {
    return ['postgres:', 'postgresql:'].includes(parseDatabaseUrl(value).first.protocol)
  } catch {
    return false
  }
}
const databaseUrl = z
  .string()
  .refine(isDatabaseUrl, 'must be a URL such as postgres://user:password@host:5432/community')
const isOrigin = (value: string) =>
  URL.canParse(value) && new URL(value).origin === value.replace(/\/+$/, '').toLowerCase()
const isHttpOrigin = (value: string) => /^https?:/i.test(value) && isOrigin(value)
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
export const isOn = (flag = '') => flag === '1' || flag === 'true'
const flag = z.enum(['1', '0', 'true', 'false'], 'must be 1 or 0').transform((value) => isOn(value))

const PORT_MESSAGE = 'must be a port number from 1 to 65535'
const port = z
  .string()
  .regex(/^\d{1,5}$/, PORT_MESSAGE)
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, PORT_MESSAGE)

const hourlyLimit = (defaultValue: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number of requests from 1 to 999999')
    .transform(Number)
    .default(defaultValue)

const positiveInteger = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999')
  .transform(Number)

const vapidKey = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${length}}$`), 'must be a key that main.js vapid-keys has printed')
    .optional()

/** The environment variables: how each is parsed, its default and the message when it is invalid. */
export const Variables = z.object({
  NODE_ENV: oneOf(['development', 'production', 'test']).default('development'),
  EMBEDDED: flag.default(false),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:-]+$/, 'must be a host name or an IP address such as 127.0.0.1')
    .default('127.0.0.1'),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  INBOX_PORT: port.optional(),
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
  APP_URL: urlSchema(['http:', 'https:'], 'https://community.example')
    .refine((value) => isOrigin(value), 'must be a URL without a path, such as https://community.example')
    // In lower case, without a slash: cookies and security headers depend on its scheme.
    .transform((value) => new URL(value).origin)
    .optional(),
  CORS_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.every((origin) => isHttpOrigin(origin)) || String(origins) === '*',
      'must be * or list origins, such as https://app.example, http://localhost:5173',
    )
    .transform((origins) => origins.map((origin) => (origin === '*' ? origin : new URL(origin).origin)))
    .optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOLER: oneOf(POOLERS).optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  S3_ENDPOINT: urlSchema(['http:', 'https:'], 'https://s3.example').optional(),
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
  SMTP_URL: urlSchema(['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465').optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\r\n<>@]{1,100} ?<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/,
      'must be a sender such as Community <hello@community.example>',
    )
    .optional(),
  OAUTH_ISSUER: urlSchema(['http:', 'https:'], 'https://accounts.google.com').default('https://accounts.google.com'),
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
      'must list the proxies by IP address or network, such as 10.0.0.1, 192.168.0.0/16 or loopback',
    )
    .optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSchema(['http:', 'https:'], 'http://localhost:4318').optional(),
  APP_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    // Rejects repetitive text such as 'aaaa…': 32 random characters have about 14 distinct ones in hex, 25 in base64.
    .refine(
      (value) => value.length < 32 || new Set(value).size >= 10,
      'must be random: generate it with openssl rand -base64 32',
    )
    .optional(),
  PROOF_OF_WORK: oneOf(['off', 'auto', 'always']).optional(),
  PROOF_OF_WORK_HOURLY_PER_IP: hourlyLimit(30),
  PROOF_OF_WORK_HOURLY_TOTAL: hourlyLimit(600),
  READ_UNITS_PER_IP: positiveInteger.default(6000),
  READ_UNITS_PER_USER: positiveInteger.default(1200),
  CONCURRENT_REQUESTS_PER_IP: positiveInteger.default(2),
  CONCURRENT_REQUESTS_PER_USER: positiveInteger.default(4),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: flag.default(false),
  VAPID_PUBLIC_KEY: vapidKey(87),
  VAPID_PRIVATE_KEY: vapidKey(43),
  VAPID_SUBJECT: urlSchema(['https:', 'mailto:'], 'mailto:admin@community.example').optional(),
  CHAT_GROUP_URL: urlSchema(['http:', 'https:'], 'https://chat.whatsapp.com/…').optional(),
  CHAT_SERVER_URL: urlSchema(['http:', 'https:'], 'https://discord.gg/…').optional(),
  SUPPORT_EMAIL: z
    .string()
    .refine((value) => Email.safeParse(value).success, 'must be an e-mail address')
    .optional(),
  SOCIAL_LINKS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (links) => links.length <= 10 && links.every((link) => Link.safeParse(link).success),
      'must list at most 10 URLs, such as https://github.com/community, https://www.instagram.com/community',
    )
    .transform((links) => [...new Set(links.map((link) => Link.parse(link)))])
    .optional(),
  MIGRATIONS_DIR: z.string().optional(),
  WEB_DIR: z.string().optional(),
})
export type Variables = z.output<typeof Variables>
export type VariableName = keyof Variables
/** The environment before parsing, without empty values. */
export type Environment = Partial<Record<VariableName, string>>
