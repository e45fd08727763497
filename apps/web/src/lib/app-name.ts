import type { Translate } from './i18n.ts'

/** What the product is called: the name that the server wrote into the page, or the word for a community. */
export const appName = (t: Translate): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? t('Community')
