import { useAccountLink } from '../lib/account-link.ts'
import { usePushOfSession } from '../lib/push-subscription.ts'
import { QuestionDialogs } from '../ui/question-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { useFocusKeeper } from './focus-keeper.ts'

/** Dialogs and toasts above every page, and the hooks of the whole page that the first paint does not need. */
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
