import type { Submission } from '@community/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { msg, t } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { tellFailure } from './admin-action.ts'
import { reloadListsSoon } from './admin-queries.ts'

export type Verdict = 'approved' | 'rejected'

/** What is filled in about a submission. */
export interface Evaluation {
  verdict: Verdict
  score: number | null
  feedback: string
}

/** Gives the verdict. One that was given before is taken back first, once, however often the new one is tried. */
export function useVerdict({ id, status }: Submission, onDone: () => void) {
  const { client } = trpc.useUtils()
  const takenBack = useRef<string>(null)
  async function takeBack(): Promise<void> {
    try {
      await client.submissions.resetEvaluation.mutate({ id })
    } catch (error) {
      // A colleague was first, or the answer to a try before was lost.
      if (failureOf(error).code !== 'NOT_EVALUATED') throw error
    }
    takenBack.current = id
    reloadListsSoon()
  }
  return useMutation({
    mutationFn: async ({ verdict, score, feedback }: Evaluation) => {
      if (status !== 'pending' && takenBack.current !== id) await takeBack()
      await client.submissions.evaluate.mutate({
        id,
        status: verdict,
        feedback: feedback.trim(),
        ...(verdict === 'approved' && score !== null && { score }),
      })
    },
    meta: { done: msg('Submission evaluated successfully'), invalidates: [] },
    onSuccess: () => {
      reloadListsSoon()
      onDone()
    },
    onError: (error) => tellFailure(error, t('Failed to evaluate submission')),
  })
}
