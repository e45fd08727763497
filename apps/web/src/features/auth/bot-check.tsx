import { useIsBotCheckRunning } from '../../lib/bot-check.ts'
import { useT } from '../../lib/i18n.ts'

/** Shows next to a busy button why it takes longer. Always rendered, so that screen readers announce its text. */
export function BotCheck() {
  const t = useT()
  const isRunning = useIsBotCheckRunning()
  return (
    <output className="text-center text-ink-2 text-sm empty:-mb-2">
      {isRunning && t('Checking that you are not a bot…')}
    </output>
  )
}
