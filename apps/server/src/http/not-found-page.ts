import type { Language } from '@community/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { directionOf, renderLink } from '../mails/render.ts'
import { languageOf } from './client-info.ts'
import { renderParagraph, sendPage } from './send-page.ts'

const TEXTS: Record<Language, { heading: string; text: string; home: string }> = {
  en: {
    heading: 'Page not found',
    text: 'The address may be mistyped, or what it led to was deleted.',
    home: 'Go to the home page',
  },
  fr: {
    heading: 'Page introuvable',
    text: 'L’adresse est peut-être erronée, ou ce qui s’y trouvait a été supprimé.',
    home: 'Aller à l’accueil',
  },
  ar: {
    heading: 'الصفحة غير موجودة',
    text: 'قد يكون العنوان خاطئًا، أو حُذف ما كان يؤدي إليه.',
    home: 'الانتقال إلى الصفحة الرئيسية',
  },
}

/** Whether a person follows a link or enters an address, in contrast to a client of the API. */
export const isPageRequest = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/(api|trpc)(\/|\?|$)/.test(url) &&
  (headers.accept ?? '').includes('text/html')

/** Sends a page that leads home, in the language of the request. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request.headers['accept-language'])
  const { heading, text, home } = TEXTS[language]
  return sendPage(reply, 404, language, heading, [renderParagraph(text), renderLink('/', home, directionOf(language))])
}
