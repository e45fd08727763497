import type { KeyboardEvent } from 'react'
import { useT } from '../../lib/i18n.ts'

/** The value of `aria-keyshortcuts` for what `isSubmitKey` submits. */
export const SUBMIT_KEYS = 'Control+Enter Meta+Enter'

/** Control or Command and Enter. Not while the keys are held: they would also submit the next form. */
export const isSubmitKey = ({ key, ctrlKey, metaKey, repeat, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey) && !repeat && !nativeEvent.isComposing

/** The keys that submit a form, and the button they stand for. */
export function SubmitKeyHint({ action }: { action: string }) {
  const t = useT()
  const keys = navigator.userAgent.includes('Mac') ? t('Cmd + Enter') : t('Ctrl + Enter')
  return <span className="pointer-coarse:hidden">{t('{keys} for “{action}”', { keys, action })}</span>
}
