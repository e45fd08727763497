import { QuestionDialogs } from '../ui/question-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { useFocusKeeper } from './focus-keeper.ts'

/** Dialogs and toasts above every page. Also keeps the focus when the focused element is removed. */
export function Overlays() {
  useFocusKeeper()
  return (
    <>
      <QuestionDialogs />
      <Toaster />
    </>
  )
}
