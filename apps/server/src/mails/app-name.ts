import type { Language } from '@community/contract'
import { escapeHtml } from './escape-html.ts'

/** The name without APP_NAME; the web app translates it. */
export const DEFAULT_APP_NAME = 'Community'

const DEFAULT_NAMES: Record<Language, string> = { en: 'the community', fr: 'la communauté', ar: 'المجتمع' }

/** The name as used in a sentence; a configured APP_NAME is not translated. */
export const appNameIn = (language: Language, appName: string): string =>
  appName === DEFAULT_APP_NAME ? DEFAULT_NAMES[language] : appName

/** The web app's index.html with APP_NAME in its title and a meta tag that the web app reads. */
export const withAppName = (html: string, appName: string): string =>
  appName === DEFAULT_APP_NAME
    ? html
    : html.replace(
        /<title>[^<]*<\/title>/,
        () => `<title>${escapeHtml(appName)}</title><meta name="application-name" content="${escapeHtml(appName)}">`,
      )
