import type { Submission } from '@community/contract'
import { useState } from 'react'

const KEY = 'readVerdicts'
/** More than can be news at a time. */
const MOST = 200

/** A verdict: the same submission judged anew is news again. */
export const verdictId = ({ id, evaluatedAt }: Pick<Submission, 'id' | 'evaluatedAt'>): string => `${id} ${evaluatedAt}`

function kept(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** The verdicts that were read on this device, and marking one as read. */
export function useReadVerdicts(): [read: ReadonlySet<string>, markRead: (verdict: string) => void] {
  const [read, setRead] = useState(kept)
  const markRead = (verdict: string) => {
    const next = [...kept().filter((one) => one !== verdict), verdict].slice(-MOST)
    setRead(next)
    try {
      localStorage.setItem(KEY, JSON.stringify(next))
    } catch {
      // A full or forbidden storage: it is news again after a reload, no more.
    }
  }
  return [new Set(read), markRead]
}
