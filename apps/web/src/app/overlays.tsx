import { useAccountLink } from '../lib/account-link.ts'
import { usePushOfSession } from '../lib/push-subscription.ts'
import { QuestionDialogs } from '../ui/question-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { useFocusKeeper } from './focus-keeper.ts'

/**
 * Dialogs and toasts above every page. Also keeps the focus when the focused element is removed, follows links to the account settings and
 * ends push messages without a session, none of which the first paint needs.
 */
export function Overlays() {
  useFocusKeeper()
  useAccountLink()
  usePushOfSession()
  return (
    <>
      <QuestionDialogs />
      <Toaster />
    </>
  )
}
