import { QuestionDialogs } from '../ui/question-dialogs.tsx'
import { Toaster } from '../ui/toaster.tsx'

export function Overlays() {
  return (
    <>
      <QuestionDialogs />
      <Toaster />
    </>
  )
}
