import { QuestionDialogs } from '../ui/question-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { useFocusKeeper } from './focus-keeper.ts'

/** What is above every page, and where the focus goes when its element is gone. */
export function Overlays() {
  useFocusKeeper()
  return (
    <>
      <QuestionDialogs />
      <Toaster />
    </>
  )
}
