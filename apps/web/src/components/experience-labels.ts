import type { Experience } from '@community/contract'
import type { Translate } from '../lib/i18n.ts'

/** The four levels with their years. */
export const experienceLabels = (t: Translate): Record<Experience, string> => ({
  Beginner: t('Beginner (0-1 years)'),
  Intermediate: t('Intermediate (1-3 years)'),
  Advanced: t('Advanced (3-5 years)'),
  Expert: t('Expert (5+ years)'),
})
export const EXPERIENCE_ORDER: readonly Experience[] = ['Beginner', 'Intermediate', 'Advanced', 'Expert']
