import type { Translate } from './i18n.ts'

/** The name that the server wrote into the page, else "Community". */
export const appName = (t: Translate): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? t('Community')
