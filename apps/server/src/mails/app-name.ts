import type { Language } from '@community/contract'
import { escapeHtml } from './escape-html.ts'

/** The product's name where APP_NAME gives none; the web app translates it then. */
export const DEFAULT_APP_NAME = 'Community'

const THE_COMMUNITY: Record<Language, string> = { en: 'the community', fr: 'la communauté', ar: 'المجتمع' }

/** The product as a sentence in a language names it: a name of its own is the same in each. */
export const appNameIn = (language: Language, appName: string): string =>
  appName === DEFAULT_APP_NAME ? THE_COMMUNITY[language] : appName

/** The built page with the product's own name in its title, and where the web app looks for it. */
export const withAppName = (html: string, appName: string): string =>
  appName === DEFAULT_APP_NAME
    ? html
    : html.replace(
        /<title>[^<]*<\/title>/,
        () => `<title>${escapeHtml(appName)}</title><meta name="application-name" content="${escapeHtml(appName)}">`,
      )
