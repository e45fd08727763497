import { LANGUAGES, type Language } from '@community/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientInfo } from '../context.ts'

/** The first supported language of `Accept-Language`, whatever its weight; undefined when there is none. */
function acceptedLanguageOf(acceptLanguage: string | undefined): Language | undefined {
  for (const range of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const code = range.trim().split(/[-;]/)[0]?.toLowerCase()
    const supported = LANGUAGES.find((language) => language === code)
    if (supported) return supported
  }
  return undefined
}

/** The accepted language; English when there is none. */
export const languageOf = (acceptLanguage: string | undefined): Language => acceptedLanguageOf(acceptLanguage) ?? 'en'

export function clientInfoOf(request: FastifyRequest, reply: FastifyReply): ClientInfo {
  const key = request.headers['idempotency-key']
  const proofOfWork = request.headers['x-proof-of-work']
  const setCookie: ClientInfo['setCookie'] = (name, value, maxAge) =>
    void reply.setCookie(name, value, {
      path: '/',
      maxAge,
      httpOnly: true,
      sameSite: 'lax',
      // Browsers accept `__Host-` names only with `Secure`.
      secure: name.startsWith('__Host-'),
    })
  return {
    id: request.id,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    acceptedLanguage: acceptedLanguageOf(request.headers['accept-language']),
    language: languageOf(request.headers['accept-language']),
    cookie: (name) => request.cookies[name],
    setCookie,
    clearCookie: (name) => setCookie(name, '', 0),
    idempotencyKey: Array.isArray(key) ? key[0] : key,
    proofOfWork: Array.isArray(proofOfWork) ? proofOfWork[0] : proofOfWork,
  }
}

/** The bearer token of a request; null if it is missing or malformed. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer ([A-Za-z0-9_-]{16,200})$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}
