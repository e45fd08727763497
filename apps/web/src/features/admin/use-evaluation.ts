import type { Submission } from '@community/contract'
import { useState } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { failureOf } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'

export type Verdict = 'approved' | 'rejected'

/** The draft of a verdict. */
export interface Evaluation {
  verdict: Verdict
  score: number | null
  feedback: string
}

/** Next to the form; a toast says why the new evaluation failed. */
const ONLY_RESET = msg('The earlier evaluation was reset. The submission is pending until a new one is saved.')

/** Sends the time of the verdict that the user sees: the server rejects the reset of a later one. */
const resetIfEvaluated = {
  mutate: async (input: { id: string; evaluatedAt: string | undefined }): Promise<{ id: string }> => {
    try {
      await trpcClient.submissions.resetEvaluation.mutate(input)
    } catch (error) {
      // Another administrator was first, or the response to an earlier attempt was lost.
      if (failureOf(error).code !== 'NOT_EVALUATED') throw error
    }
    return input
  },
}

/** Gives the verdict. Takes an earlier one back first: only once, however often the new one is retried. */
export function useEvaluation({ id, status, evaluatedAt }: Submission, onSuccess: (opensNext: boolean) => void) {
  const t = useT()
  const [resetId, setResetId] = useState<string>()
  const failure = t('Failed to evaluate submission')
  const resetAction = useAction(resetIfEvaluated, {
    failure,
    onSuccess: (output) => setResetId(output.id),
    ...AFTER_ADMIN_ACTION,
  })
  const evaluateAction = useAction(trpcClient.submissions.evaluate, {
    input: ({ verdict, score, feedback }: Evaluation & { opensNext: boolean }) => ({
      id,
      status: verdict,
      feedback: feedback.trim(),
      ...(verdict === 'approved' && score !== null && { score }),
    }),
    success: t('Submission evaluated successfully'),
    failure,
    onSuccess: (_, { opensNext }) => onSuccess(opensNext),
    ...AFTER_ADMIN_ACTION,
  })
  // `NOT_PENDING`: another administrator has evaluated it since, so that it is no longer only reset.
  const isOnlyReset =
    resetId === id && evaluateAction.error !== null && failureOf(evaluateAction.error).code !== 'NOT_PENDING'
  return {
    isPending: resetAction.isPending || evaluateAction.isPending,
    failure: resetAction.failure ?? (isOnlyReset ? { message: ONLY_RESET } : evaluateAction.failure),
    evaluate: async (values: Evaluation, opensNext: boolean) => {
      const needsReset = status !== 'pending' && resetId !== id
      if (needsReset && !(await resetAction.run({ id, evaluatedAt: evaluatedAt ?? undefined }))) return
      await evaluateAction.run({ ...values, opensNext })
    },
    reset: () => {
      resetAction.reset()
      evaluateAction.reset()
    },
  }
}
